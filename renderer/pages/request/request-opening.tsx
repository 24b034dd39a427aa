import { Link } from "@tanstack/react-router";
import { CircleHelp, FilePen } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { formatBytes } from "../../format/amounts.ts";
import { htmlWords } from "../../format/html-words.ts";
import { creatorName, personName, titleText } from "../../format/names.ts";
import { formatAgo, formatEdtf, formatFull } from "../../format/times.ts";
import { asksForAccess, kindOf } from "./part.ts";
import styles from "./request.module.css";
import { reviewerNames } from "./reviewer-names.ts";
import { useTopic } from "./topic.ts";

/** Begins a conversation: who asks whom for what, and a summary of the record. */
export function RequestOpening({ request }: { request: ReviewRequest }) {
  const { t } = useTranslation();
  const { body } = useTopic(request);
  const { created, payload } = request;
  const people = {
    name: creatorName(request),
    reviewer: reviewerNames(request),
  };
  const kind = kindOf(request);
  return (
    <li>
      <div className={styles.event}>
        <span className={styles.dot}>
          {kind === "unsent" ? <FilePen size={13} aria-hidden="true" /> : <CircleHelp size={13} aria-hidden="true" />}
        </span>
        <span>{t(`request.opening.${kind}`, people)}</span>
        <time className={styles.time} dateTime={created} title={formatFull(created)}>
          {formatAgo(created)}
        </time>
      </div>
      {payload?.email && <p className={styles.note}>{payload.email}</p>}
      {payload?.message && (
        <blockquote className={styles.asked} dir="auto">
          {payload.message}
        </blockquote>
      )}
      {body && <TopicSummary body={body} hasChanges={!asksForAccess(request)} />}
    </li>
  );
}

const maxCreators = 5;

/** @param hasChanges whether the request is about changes of the record. */
function TopicSummary({ body, hasChanges }: { body: RecordBody; hasChanges: boolean }) {
  const { t } = useTranslation();
  const { metadata, files } = body;
  const creators = metadata.creators ?? [];
  const names = creators.slice(0, maxCreators).map(({ person_or_org }) => personName(person_or_org));
  if (creators.length > maxCreators) names.push(t("request.opening.more", { count: creators.length - maxCreators }));
  const facts = [
    metadata.resource_type && titleText(metadata.resource_type.title, metadata.resource_type.id),
    metadata.publication_date && formatEdtf(metadata.publication_date),
    files.enabled && t("request.opening.files", { count: files.count ?? 0, size: formatBytes(files.total_bytes ?? 0) }),
  ].filter(Boolean);
  return (
    <div className={styles.summary}>
      {names.length > 0 && <p dir="auto">{names.join("; ")}</p>}
      {facts.length > 0 && <p className={styles.time}>{facts.join(" · ")}</p>}
      {metadata.description && (
        <p className={styles.abstract} dir="auto">
          {htmlWords(metadata.description)}
        </p>
      )}
      <nav className={styles.summaryLinks} aria-label={t("request.opening.parts")}>
        {(["record", "changes", "files"] as const).map(
          (tab) =>
            (hasChanges || tab !== "changes") && (
              <Link key={tab} from="/me/requests/$id" to="." search={{ tab }} replace>
                {t(`request.${tab}`)}
              </Link>
            ),
        )}
      </nav>
    </div>
  );
}
