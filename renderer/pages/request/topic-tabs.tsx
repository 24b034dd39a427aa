import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RecordBody } from "../../api-client/record-types.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { Busy, InlineNotice } from "../../components/notice.tsx";
import { RichText } from "../../components/rich-text.tsx";
import { RecordDetails } from "../record/record-details.tsx";
import { RecordFiles } from "../record/record-files.tsx";
import { RecordPeople, RecordPills } from "../record/record-people.tsx";
import styles from "./request.module.css";
import { useTopic } from "./topic.ts";

/** Shows the topic once it is loaded. */
export function Topic({ request, children }: { request: ReviewRequest; children: (body: RecordBody) => ReactNode }) {
  const { body, error } = useTopic(request);
  if (body) return children(body);
  return error ? <InlineNotice tone="warn">{error.message}</InlineNotice> : <Busy />;
}

/** Metadata of the draft under review, or of its record. */
export function RecordTab({ body }: { body: RecordBody }) {
  const { t } = useTranslation();
  const { metadata, id, is_published } = body;
  return (
    <div className={styles.topic}>
      <div className={styles.topicHead}>
        <RecordPills record={body} />
        <h2 dir="auto">
          <Link to={is_published ? "/records/$id" : "/uploads/$id"} params={{ id }}>
            {metadata.title ?? t("library.untitled")}
          </Link>
        </h2>
        <RecordPeople people={metadata.creators ?? []} />
      </div>
      {metadata.description && <RichText html={metadata.description} />}
      <RecordDetails record={body} />
    </div>
  );
}

/** The topic's files, as after publishing. */
export const FilesTab = ({ body }: { body: RecordBody }) => <RecordFiles record={body} />;
