import { useQuery } from "@tanstack/react-query";
import { Check, type LucideIcon, PencilLine, Users, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import type { RequestAction } from "../../api-client/requests.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { creatorName } from "../../format/names.ts";
import { formatAgo, formatFull } from "../../format/times.ts";
import { wordsOf } from "./action-words.ts";
import type { Attaching } from "./attachments.tsx";
import type { CommentEditor } from "./comment-drafts.ts";
import { DecisionDialog } from "./decision-dialog.tsx";
import { actionsFor, asksForAccess, isForeign, kindOf, mayNameReviewers, maySpeak, type Part } from "./part.ts";
import { reviewerName, reviewerNames } from "./reviewer-names.ts";
import { keyOf } from "./reviewer-picker.tsx";
import styles from "./reviewers.module.css";
import { OutcomePill, ReviewersDialog } from "./reviewers-dialog.tsx";

const looks = {
  ...({ accept: "primary", submit: "primary", "request-review": "primary" } as const),
  ...({ decline: "danger", cancel: "secondary", "request-changes": "secondary" } as const),
};
const icons: Partial<Record<RequestAction, LucideIcon>> = {
  ...{ decline: X, cancel: X, "request-changes": PencilLine },
};

/** The text in the editor goes with a decision. */
export interface Writing {
  editor: CommentEditor;
  attaching: Attaching;
}

/** The head of the page: who asks whom for what, since when, and the possible answers, the likeliest first. */
export function RequestAsk({ request, part, writing }: { request: ReviewRequest; part: Part; writing: Writing }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const [asked, setAsked] = useState<RequestAction | null>(null);
  const [isNaming, setNaming] = useState(false);
  const people = { name: creatorName(request), reviewer: reviewerNames(request) };
  const isOpen = request.status === "submitted";
  const isThere = isForeign(request);
  const kind = kindOf(request);
  const isBlocked = isThere && whyAway(status) !== undefined;
  const actions = actionsFor(request, part).toReversed();
  const mayName = mayNameReviewers(request, part);
  return (
    <section className={styles.ask} aria-label={t("request.what")}>
      <p className={styles.words}>
        {isOpen ? t(`request.asks.${kind as "asked"}`, people) : t(`request.opening.${kind}`, people)}{" "}
        <time className={styles.time} dateTime={request.created} title={formatFull(request.created)}>
          {formatAgo(request.created)}
        </time>
      </p>
      {!asksForAccess(request) && !isThere && (
        <div className={styles.people}>
          <ul className={styles.outcomes} aria-label={t("reviewers.list")}>
            {request.reviewers.map((one) => (
              <li key={keyOf(one)}>
                <span dir="auto">{reviewerName(request, one)}</span>
                <OutcomePill of={one} />
              </li>
            ))}
          </ul>
          {mayName && (
            <Button small variant="quiet" icon={Users} onPress={() => setNaming(true)}>
              {t("reviewers.change")}
            </Button>
          )}
        </div>
      )}
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map((action) => (
            <Button
              key={action}
              variant={looks[action]}
              icon={icons[action] ?? Check}
              isDisabled={isBlocked}
              onPress={() => setAsked(action)}
            >
              {t(wordsOf(request, "action", action))}
            </Button>
          ))}
        </div>
      )}
      {isBlocked && actions.length > 0 && (
        <InlineNotice tone="local">
          {t("upstream.needs_network.decide", { name: status?.upstream?.name ?? "" })}
        </InlineNotice>
      )}
      {isNaming && <ReviewersDialog request={request} part={part} onClose={() => setNaming(false)} />}
      {asked && (
        <DecisionDialog
          request={request}
          action={asked}
          editor={maySpeak(request, part) ? writing.editor : undefined}
          attaching={writing.attaching}
          away={whyAway(status)}
          isOffered={actions.includes(asked)}
          isReviewer={part.isReviewer}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}
