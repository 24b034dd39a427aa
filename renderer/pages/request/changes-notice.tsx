import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { InlineNotice } from "../../components/notice.tsx";
import { creatorName } from "../../format/names.ts";
import type { Part } from "./part.ts";
import { reviewerNames } from "./reviewer-names.ts";

/** Who requested changes of an open request, and who does what next. */
export function ChangesNotice({ request, part }: { request: ReviewRequest; part: Part }) {
  const { t } = useTranslation();
  if (!request.changes_requested) return null;
  const names = reviewerNames(request, ({ outcome }) => outcome === "changes_requested");
  const name = creatorName(request);
  return (
    <InlineNotice
      tone="warn"
      title={t("request.changes_by", { names })}
      actions={
        part.isCreator && (
          <Link to="/uploads/$id" params={{ id: request.topic.record }}>
            {t("request.open_draft")}
          </Link>
        )
      }
    >
      {part.isCreator ? t("request.changes_by_help") : t("request.changes_wait_help", { name })}
    </InlineNotice>
  );
}
