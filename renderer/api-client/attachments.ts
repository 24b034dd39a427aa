import type { CommentDraft, KeptFile } from "../../shared/comments/comment-draft.schema.ts";
import { call, encodePath, getBlob } from "./request.ts";
import type { Attachment, RequestEvent } from "./request-types.ts";
import { refusal, sendBytes, type UploadCalls } from "./upload.ts";

const filesOf = (request: string) => `/api/requests/${request}/files`;

export const keptFile = ({ id, key, size, metadata }: Attachment): KeptFile => ({
  id,
  key,
  size,
  name: metadata.original_filename,
});

/** The content of a sent comment, as an editor holds it. */
export const contentOfComment = ({ payload, expanded }: RequestEvent): CommentDraft => ({
  content: payload.content ?? "",
  files: (expanded?.files ?? []).map(keptFile),
});

/** Uploads a file for a comment (requests 9). */
export async function uploadAttachment(request: string, file: File, calls: UploadCalls): Promise<KeptFile> {
  const url = `${filesOf(request)}/upload/${encodeURIComponent(file.name)}`;
  const answer = await sendBytes("PUT", url, { "Content-Type": "application/octet-stream" }, file, calls, 0);
  if (answer.status !== 200) throw refusal(answer);
  return keptFile(JSON.parse(answer.text) as Attachment);
}

/** Removes a file that belongs to no comment yet. */
export const dropAttachment = (request: string, key: string) =>
  call("DELETE", `${filesOf(request)}/${encodePath(key)}`);

/** The bytes of an attachment; 503 if they are only on the server and it cannot be reached. */
export const attachmentBytes = (request: string, key: string) =>
  getBlob(`${filesOf(request)}/${encodePath(key)}/content`);
