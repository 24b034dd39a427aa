import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { prepareReview } from "../../api-client/requests.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichTextEditor } from "../../components/rich-text-editor.tsx";
import { keyOf, type NamedReviewer, ReviewerPicker, ReviewerRow } from "../request/reviewer-picker.tsx";
import styles from "../request/reviewers.module.css";
import { useSubmission } from "./use-submission.ts";

/** Requests a review, with reviewers and a first comment. Accepting it publishes the draft. */
export function ReviewDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const away = whyAway(useQuery(syncStatusQuery).data);
  const [reviewers, setReviewers] = useState<NamedReviewer[]>([]);
  const isNamed = reviewers.some(({ user }) => user !== undefined);
  const [comment, setComment] = useState("");
  const submit = useSubmission({
    prepare: (draftId) => prepareReview(draftId, reviewers),
    comment,
    words: ({ sync }) => t(sync ? "draft.submit_queued" : "draft.submitted"),
    onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      keepsOpen={reviewers.length > 0 || comment !== ""}
      isPending={submit.isPending}
      title={t("draft.submit_title")}
      actions={
        <>
          <Button isDisabled={submit.isPending} onPress={onClose}>
            {t("action.cancel")}
          </Button>
          <Button variant="primary" isDisabled={!isNamed} isPending={submit.isPending} onPress={() => submit.mutate()}>
            {t("draft.submit")}
          </Button>
        </>
      }
    >
      <p>{t("draft.submit_body")}</p>
      {reviewers.length > 0 && (
        <ul className={styles.list} aria-label={t("reviewers.list")}>
          {reviewers.map((one) => (
            <ReviewerRow
              key={keyOf(one)}
              name={one.name}
              user={one.user}
              onRemove={() => setReviewers((before) => before.filter((other) => other !== one))}
            />
          ))}
        </ul>
      )}
      <ReviewerPicker
        isRequired={!isNamed}
        taken={reviewers}
        problem={reviewers.length > 0 && !isNamed ? t("reviewers.person_needed") : undefined}
        onChoose={(one) => setReviewers((before) => [...before, one])}
      />
      <RichTextEditor label={t("draft.submit_comment")} value={comment} onChange={setComment} short />
      {away && <InlineNotice tone="local">{t(`draft.submit_away.${away}`)}</InlineNotice>}
      {submit.error && <InlineNotice tone="danger">{submit.error.message}</InlineNotice>}
    </Dialog>
  );
}
