import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isObject } from "../../../shared/kernel/json.ts";
import type { RecordBody } from "../../api-client/record-types.ts";
import { draftFilesQuery, recordFilesQuery } from "../../api-client/records.ts";
import { ApiFailure } from "../../api-client/request.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";
import { Busy, InlineNotice } from "../../components/notice.tsx";
import { RichText } from "../../components/rich-text.tsx";
import type { Beside } from "../record/beside.ts";
import record from "../record/record.module.css";
import { RecordCustom } from "../record/record-custom.tsx";
import { RecordDetails } from "../record/record-details.tsx";
import { RecordFiles } from "../record/record-files.tsx";
import { RecordPeople, RecordPills } from "../record/record-people.tsx";
import { GonePlaces } from "./gone-places.tsx";
import { PlaceComments } from "./place-comments.tsx";
import styles from "./request.module.css";
import { useTopic } from "./topic.ts";
import { useTargetPlace } from "./use-target-place.ts";

/** Shows the topic once it is loaded. */
export function Topic({ request, children }: { request: ReviewRequest; children: (body: RecordBody) => ReactNode }) {
  const { t } = useTranslation();
  const { body, error } = useTopic(request);
  if (body) return children(body);
  if (!error) return <Busy />;
  // Reviewers may read a draft only while they review it.
  const isOver = !request.is_open && request.status !== "accepted";
  const isDenied = error instanceof ApiFailure && error.status === 403;
  return <InlineNotice tone="warn">{isOver && isDenied ? t("request.review_over") : error.message}</InlineNotice>;
}

interface TopicTabProps {
  request: ReviewRequest;
  body: RecordBody;
  /** Whether the user may comment. */
  maySpeak: boolean;
}

const commentsBeside =
  ({ request, maySpeak }: TopicTabProps): Beside =>
  (about, label) => <PlaceComments request={request} maySpeak={maySpeak} about={about} label={label} />;

const valueAt = (body: unknown, path: string): unknown =>
  path.split(".").reduce((value, name) => (isObject(value) ? value[name] : undefined), body);

const isEmpty = (value: unknown): boolean => value === undefined || value === "" || (Array.isArray(value) && !value[0]);

/** Metadata of the draft under review, or of its record, with the comments on each field. */
export function RecordTab(props: TopicTabProps) {
  const { t } = useTranslation();
  const { body } = props;
  const { metadata, id, is_published } = body;
  const beside = commentsBeside(props);
  const on = (field: "title" | "creators" | "description") =>
    beside({ field: `metadata.${field}` }, t(`draft.field.${field}`));
  return (
    <div className={styles.topic}>
      <div className={styles.topicHead}>
        <RecordPills record={body} />
        <div className={record.besides}>
          <h2 dir="auto">
            <Link to={is_published ? "/records/$id" : "/uploads/$id"} params={{ id }}>
              {metadata.title ?? t("library.untitled")}
            </Link>
          </h2>
          {on("title")}
        </div>
        <div className={record.besides}>
          <RecordPeople people={metadata.creators ?? []} />
          {on("creators")}
        </div>
      </div>
      {metadata.description && (
        <div className={record.besides}>
          <RichText html={metadata.description} />
          {on("description")}
        </div>
      )}
      <RecordCustom record={body} beside={beside} />
      <RecordDetails record={body} beside={beside} />
      <GonePlaces request={props.request} isGone={(about) => "field" in about && isEmpty(valueAt(body, about.field))} />
    </div>
  );
}

/** The topic's files, as after publishing, with the comments on each. */
export function FilesTab(props: TopicTabProps) {
  const { request, body } = props;
  const filesQuery = body.is_published ? recordFilesQuery : draftFilesQuery;
  const { data } = useQuery({ ...filesQuery(body.id), enabled: body.files.enabled });
  const names = body.files.enabled ? data?.entries?.map(({ key }) => key) : [];
  return (
    <>
      <RecordFiles record={body} beside={commentsBeside(props)} toward={useTargetPlace()} />
      <GonePlaces
        request={request}
        isGone={(about) => "file" in about && names !== undefined && !names.includes(about.file)}
      />
    </>
  );
}
