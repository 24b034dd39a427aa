import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { noteReviewed, reviewedQuery } from "../../api-client/desk.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { InlineNotice } from "../../components/notice.tsx";
import { showFailure } from "../../components/toast-queue.ts";
import { useFieldLabel } from "../../components/use-field-label.ts";
import { formatFull } from "../../format/times.ts";
import { compareFields, compareFiles } from "../compare/compare-records.ts";
import { useSide } from "../compare/sides.ts";
import { asksForAccess, type Part } from "./part.ts";

const maxNames = 6;

/**
 * Which fields and files changed since the reviewer last commented, decided, or first looked. This computer keeps the
 * draft as it was then, so the summary needs no server.
 */
export function SinceReview({ request, part }: { request: ReviewRequest; part: Part }) {
  const isWatched = part.isReviewer && request.status === "submitted" && !asksForAccess(request);
  return isWatched ? <Since draftId={request.topic.record} /> : null;
}

function Since({ draftId }: { draftId: string }) {
  const { t } = useTranslation();
  const labelOf = useFieldLabel();
  const { data: reviewed } = useQuery(reviewedQuery(draftId));
  const { side: now } = useSide(draftId, true);
  const isFirstLook = reviewed === null && now !== undefined;
  useEffect(() => {
    if (isFirstLook) noteReviewed(draftId)().catch(showFailure);
  }, [isFirstLook, draftId]);
  if (!reviewed || !now) return null;
  const isChanged = ({ kind }: { kind: string }) => kind !== "same";
  const fields = compareFields(reviewed.body, now.body).filter(isChanged);
  const files = compareFiles(reviewed.files, now.files).filter(isChanged);
  const names = [...fields.map(({ field }) => labelOf(field.replace("access.", ""))), ...files.map(({ key }) => key)];
  if (names.length === 0) return null;
  const more = names.length - maxNames;
  const shown = names.slice(0, maxNames).join(", ");
  return (
    <InlineNotice
      title={t("request.since.title", { when: formatFull(reviewed.when) })}
      actions={
        <Link from="/me/requests/$id" to="." search={{ tab: "changes" }} replace>
          {t("request.since.see")}
        </Link>
      }
    >
      {more > 0 ? t("request.since.more", { names: shown, count: more }) : shown}
    </InlineNotice>
  );
}
