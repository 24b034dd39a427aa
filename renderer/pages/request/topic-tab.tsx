import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { FileEntry, RecordBody } from "../../api-client/record-types.ts";
import { draftFilesQuery, draftQuery, recordFilesQuery, recordQuery } from "../../api-client/records.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { Busy, InlineNotice } from "../../components/notice.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { formatBytes } from "../../format/amounts.ts";
import { personName } from "../../format/names.ts";
import { RecordDetails } from "../record/record-details.tsx";
import styles from "./request.module.css";

/** What the request is about: the draft under review, or the record it has become. */
export function TopicTab({ request }: { request: ReviewRequest }) {
  const id = request.topic.record;
  const isPublished = request.status === "accepted";
  const draft = useQuery({ ...draftQuery(id), enabled: !isPublished });
  const record = useQuery({ ...recordQuery(id), enabled: isPublished || draft.isError });
  const body = (isPublished ? undefined : draft.data) ?? record.data;
  if (body) return <Topic body={body} />;
  if (record.error) return <InlineNotice tone="warn">{(draft.error ?? record.error).message}</InlineNotice>;
  return <Busy />;
}

function Topic({ body }: { body: RecordBody }) {
  const { t } = useTranslation();
  const { metadata, id, is_published } = body;
  const draftFiles = useQuery({ ...draftFilesQuery(id), enabled: !is_published });
  const recordFiles = useQuery({ ...recordFilesQuery(id), enabled: is_published });
  const entries = (is_published ? recordFiles.data : draftFiles.data)?.entries ?? [];
  return (
    <div className={styles.topic}>
      <div>
        <h2>
          {is_published ? (
            <Link to="/records/$id" params={{ id }}>
              {metadata.title}
            </Link>
          ) : (
            <Link to="/uploads/$id" params={{ id }}>
              {metadata.title ?? t("library.untitled")}
            </Link>
          )}
        </h2>
        <p>{(metadata.creators ?? []).map(({ person_or_org }) => personName(person_or_org)).join("; ")}</p>
      </div>
      {metadata.description && <RichText html={metadata.description} />}
      {entries.length > 0 && (
        <section>
          <h3>{t("files.title")}</h3>
          <ul className={styles.files}>
            {entries.map((entry) => (
              <TopicFile key={entry.key} id={id} isPublished={is_published} entry={entry} />
            ))}
          </ul>
        </section>
      )}
      <RecordDetails record={body} />
    </div>
  );
}

function TopicFile({ id, isPublished, entry }: { id: string; isPublished: boolean; entry: FileEntry }) {
  const isArchive = /\.zip$/i.test(entry.key);
  const to = isPublished ? "/records/$id/files/$" : "/uploads/$id/files/$";
  return (
    <li className={styles.file}>
      <span className={styles.fileName}>
        {isArchive ? (
          <Link to={to} params={{ id, _splat: entry.key }}>
            {entry.key}
          </Link>
        ) : (
          <a href={`${entry.links.content}?download=1`} download>
            {entry.key}
          </a>
        )}
      </span>
      <span className={styles.size}>{entry.size === undefined ? "" : formatBytes(entry.size)}</span>
    </li>
  );
}
