import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { personQuery } from "../../api-client/people.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import type { RequestEvent, ReviewRequest } from "../../api-client/request-types.ts";
import { newestEventsQuery, requestQuery } from "../../api-client/requests.ts";
import { syncStatusQuery, whyAway } from "../../api-client/sync.ts";
import { Button } from "../../components/button.tsx";
import { InlineNotice } from "../../components/notice.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { nameOrNumber, namesTogether } from "../../format/names.ts";
import { formatAgo } from "../../format/times.ts";
import { useAttaching } from "../request/attachments.tsx";
import { useCommentDraft } from "../request/comment-drafts.ts";
import { DecisionDialog } from "../request/decision-dialog.tsx";
import { actionsFor, maySpeak, partIn } from "../request/part.ts";
import { useDraftSession } from "./draft-context.ts";
import styles from "./requested-changes.module.css";

/** Stands above the form while a reviewer waits for changes: the requests, and the button to ask for another review. */
export function RequestedChanges({ body }: { body: RecordBody }) {
  const { review } = body.parent;
  const isOpen = body.status === "in_review";
  const { data: request } = useQuery({ ...requestQuery(review?.id ?? ""), enabled: isOpen && review !== undefined });
  return request?.changes_requested ? <RequestedChangesNotice request={request} /> : null;
}

/** Requests for changes since the last hand-back, oldest first, each with the comment that came with it. */
function changeRequestsIn(
  newestFirst: readonly RequestEvent[],
): { event: RequestEvent; comment: RequestEvent | undefined }[] {
  const handedBack = newestFirst.findIndex(({ payload }) => payload.event === "review_requested");
  const open = handedBack === -1 ? newestFirst : newestFirst.slice(0, handedBack);
  return open
    .filter(({ payload }) => payload.event === "changes_requested")
    .map((event) => ({
      event,
      comment: open.find(
        ({ type, created, created_by }) =>
          type === "C" && created === event.created && created_by.user === event.created_by.user,
      ),
    }))
    .toReversed();
}

function RequestedChangesNotice({ request }: { request: ReviewRequest }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(syncStatusQuery);
  const { data: person } = useQuery(personQuery);
  const { data: events } = useQuery(newestEventsQuery(request.id));
  const session = useDraftSession();
  const [isDialogOpen, setDialogOpen] = useState(false);
  const editor = useCommentDraft(request.id, "");
  const attaching = useAttaching(request.id, editor);
  const part = partIn(request, person);
  const changeRequests = changeRequestsIn(events?.hits.hits ?? []);
  const name = ({ expanded, created_by }: RequestEvent) => nameOrNumber(expanded?.created_by, created_by.user);
  if (changeRequests.length === 0) return null;
  const names = namesTogether([...new Set(changeRequests.map(({ event }) => name(event)))]);
  return (
    <section aria-label={t("draft.asked.title")}>
      <InlineNotice
        tone="warn"
        title={t("request.changes_by", { names })}
        actions={
          actionsFor(request, part).includes("request-review") && (
            <Button
              small
              variant="primary"
              onPress={() => {
                // Saves first, so that the reviewers see the latest text.
                void session.save();
                setDialogOpen(true);
              }}
            >
              {t("request.action.request-review")}
            </Button>
          )
        }
      >
        {changeRequests.map(({ event, comment }) => (
          <div key={event.id} className={styles.entry}>
            {comment && <RichText html={comment.payload.content ?? ""} />}
            <Link to="/me/requests/$id" params={{ id: request.id }} hash={`commentevent-${(comment ?? event).id}`}>
              {t("draft.asked.open", { name: name(event), when: formatAgo(event.created) })}
            </Link>
          </div>
        ))}
      </InlineNotice>
      {isDialogOpen && (
        <DecisionDialog
          request={request}
          action="request-review"
          editor={maySpeak(request, part) ? editor : undefined}
          attaching={attaching}
          away={whyAway(status)}
          isOffered={request.changes_requested}
          isReviewer={part.isReviewer}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </section>
  );
}
