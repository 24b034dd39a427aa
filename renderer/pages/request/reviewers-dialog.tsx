import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { addReviewer, removeReviewer } from "../../api-client/requests.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { Pill } from "../../components/pill.tsx";
import { useChange } from "../../components/use-change.ts";
import type { Part } from "./part.ts";
import { type Reviewer, reviewerName } from "./reviewer-names.ts";
import { keyOf, ReviewerPicker, ReviewerRow } from "./reviewer-picker.tsx";
import styles from "./reviewers.module.css";

/** Adds and removes reviewers of an open request. Each change counts at once, offline too. */
export function ReviewersDialog({
  request,
  part,
  onClose,
}: {
  request: ReviewRequest;
  part: Part;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const add = useChange((reviewer: { user?: string; group?: string }) => addReviewer(request.id, reviewer), {
    showsErrorHere: true,
  });
  const remove = useChange((who: string) => removeReviewer(request.id, who), { showsErrorHere: true });
  const { reviewers } = request;
  const users = reviewers.filter(({ user }) => user !== undefined).length;
  const error = remove.error ?? add.error;
  const mayRemove = ({ user, outcome }: (typeof reviewers)[number]) =>
    (outcome === "pending" || part.isSuperuser) && (user === undefined || users > 1);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("reviewers.title")}
      actions={<Button onPress={onClose}>{t("action.close")}</Button>}
    >
      <p>{t("reviewers.body")}</p>
      <ul className={styles.list} aria-label={t("reviewers.list")}>
        {reviewers.map((one) => (
          <ReviewerRow
            key={keyOf(one)}
            name={reviewerName(request, one)}
            user={one.user}
            isPending={remove.isPending && remove.variables === keyOf(one)}
            onRemove={mayRemove(one) ? () => remove.mutate(keyOf(one)) : undefined}
          >
            <OutcomePill of={one} />
          </ReviewerRow>
        ))}
      </ul>
      <ReviewerPicker
        taken={reviewers}
        onChoose={({ name: _, ...reviewer }) => {
          remove.reset();
          add.mutate(reviewer);
        }}
      />
      {error && <InlineNotice tone="danger">{error.message}</InlineNotice>}
    </Dialog>
  );
}

const tones = { accepted: "ok", declined: "danger", changes_requested: "warn", pending: "neutral" } as const;

/** What a reviewer decided, or that nothing is to be expected of them any more. */
export function OutcomePill({ of: { outcome, is_deactivated } }: { of: Reviewer }) {
  const { t } = useTranslation();
  const isAwaited = outcome === "pending" || outcome === "changes_requested";
  if (is_deactivated && isAwaited) return <Pill tone="warn">{t("reviewers.deactivated")}</Pill>;
  return <Pill tone={tones[outcome]}>{t(`reviewers.outcome.${outcome}`)}</Pill>;
}
