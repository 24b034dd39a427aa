import { useQuery } from "@tanstack/react-query";
import type { RecordBody } from "../../api-client/record-types.ts";
import { draftQuery, recordQuery } from "../../api-client/records.ts";
import type { ReviewRequest } from "../../api-client/request-types.ts";

/** The topic of a request: the draft under review, or its record. */
export function useTopic(request: ReviewRequest): { body?: RecordBody; error?: Error } {
  const id = request.topic.record;
  const isPublished = request.status === "accepted";
  const draft = useQuery({ ...draftQuery(id), enabled: !isPublished });
  const record = useQuery({ ...recordQuery(id), enabled: isPublished || draft.isError });
  const body = (isPublished ? undefined : draft.data) ?? record.data;
  if (body) return { body };
  return record.error ? { error: draft.error ?? record.error } : {};
}
