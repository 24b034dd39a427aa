import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import { draftQuery, publicationDoiQuery } from "../../api-client/records.ts";
import { usePageQuery } from "../../api-client/use-page-query.ts";
import { Button } from "../../components/button.tsx";
import { Busy, InlineNotice } from "../../components/notice.tsx";
import { usePageTitle } from "../../shell/page-title.ts";
import { missingProblems } from "../draft/draft-content.ts";
import { PageFailure } from "../page-failure.tsx";
import { plainCitation } from "./plain-citation.ts";
import own from "./public-view.module.css";
import styles from "./record.module.css";
import { RecordBodyParts } from "./record-body-parts.tsx";
import { RecordHead } from "./record-head.tsx";

const route = getRouteApi("/uploads/$id/preview");

/** `/uploads/{id}/preview`: the page that the public will see, from the draft on this computer. */
export function DraftPreviewPage() {
  const { id } = route.useParams();
  const { data, error, refetch } = usePageQuery(draftQuery(id));
  if (data) return <Preview draft={data} />;
  return error ? <PageFailure error={error} onRetry={() => void refetch()} /> : <Busy />;
}

function Preview({ draft }: { draft: RecordBody }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: doi } = useQuery(publicationDoiQuery(draft.id));
  const title = draft.metadata.title ?? t("library.untitled");
  usePageTitle(
    { label: t("place.library"), to: "/" },
    { label: title, to: `/uploads/${draft.id}` },
    { label: t("public_view.crumb") },
  );
  const isHidden = draft.access.record === "restricted";
  const areFilesHidden = draft.access.files === "restricted";
  const identifier = doi?.identifier ?? undefined;
  const shown: RecordBody = identifier
    ? { ...draft, pids: { ...draft.pids, doi: { ...draft.pids.doi, identifier, provider: "carrel" } } }
    : draft;
  const lacks = missingProblems(draft).length;
  return (
    <div className={own.publicView}>
      <div className={own.banner} role="status">
        <span>
          <b>{t("public_view.title")}</b> {t(lacks > 0 ? "public_view.lacks" : "public_view.help", { count: lacks })}
        </span>
        <Button small icon={ArrowLeft} onPress={() => void navigate({ to: "/uploads/$id", params: { id: draft.id } })}>
          {t("public_view.back")}
        </Button>
      </div>
      <div className={styles.page}>
        <article className={styles.content}>
          {isHidden && <InlineNotice tone="warn">{t("public_view.hidden")}</InlineNotice>}
          <RecordHead record={shown} title={title} />
          {areFilesHidden && !isHidden && <InlineNotice tone="warn">{t("public_view.files_hidden")}</InlineNotice>}
          <RecordBodyParts record={areFilesHidden ? { ...shown, files: { ...shown.files, enabled: false } } : shown} />
        </article>
        <aside className={styles.side} aria-label={t("record.side")}>
          <div className={styles.sideInner}>
            <section className={styles.card}>
              <h2>{t("record.cite")}</h2>
              <p>{plainCitation(shown)}</p>
            </section>
            <section className={styles.block}>
              <h2>DOI</h2>
              <p>{identifier ? <code>{identifier}</code> : t("draft.publish_doi.none")}</p>
            </section>
          </div>
        </aside>
      </div>
    </div>
  );
}
