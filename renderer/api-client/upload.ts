import i18next from "i18next";
import { bytesOf } from "./read-file.ts";
import type { FileEntry } from "./record-types.ts";
import { draftFileContent } from "./records.ts";
import { ApiFailure } from "./request.ts";
import { sessionHeaders } from "./session.ts";

const sliceBytes = 8 * 1024 * 1024;

export interface UploadCalls {
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
}

interface ContentCalls extends UploadCalls {
  /** The first part is stored, and nothing of an earlier attempt any more. `tag` names the upload. */
  onBegun: (tag: string | undefined) => void;
}

interface Sent {
  status: number;
  offset: number | undefined;
  tag: string | undefined;
  isComplete: boolean;
  text: string;
}

/**
 * Sends bytes by XMLHttpRequest, because fetch does not report upload progress.
 * @throws ApiFailure 0 if the line was cut, UnreadableFile, or a DOMException `AbortError` after an abort
 */
export function sendBytes(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: Blob | null,
  calls: UploadCalls,
  from: number,
) {
  return new Promise<Sent>((resolve, reject) => {
    // An earlier abort tells no listener.
    calls.signal.throwIfAborted();
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    for (const [name, value] of Object.entries({ ...sessionHeaders(method), ...headers }))
      xhr.setRequestHeader(name, value);
    const abort = () => xhr.abort();
    calls.signal.addEventListener("abort", abort, { once: true });
    xhr.upload.onprogress = ({ loaded }) => calls.onProgress(from + loaded);
    xhr.onabort = () => reject(new DOMException("Paused", "AbortError"));
    // Browsers do not tell a cut line from a file that they cannot read.
    xhr.onerror = () =>
      void bytesOf(body?.slice(0, 1) ?? new Blob()).then(
        () => reject(new ApiFailure(0, i18next.t("failure.upload_cut"))),
        reject,
      );
    xhr.onloadend = () => calls.signal.removeEventListener("abort", abort);
    xhr.onload = () => {
      const offset = xhr.getResponseHeader("Upload-Offset");
      const tag = xhr.getResponseHeader("ETag") ?? undefined;
      const isComplete = xhr.getResponseHeader("Upload-Complete") === "?1";
      const { status, responseText: text } = xhr;
      resolve({ status, offset: offset === null ? undefined : Number(offset), tag, isComplete, text });
    };
    xhr.send(body);
  });
}

export const refusal = ({ status, text }: Sent) => {
  try {
    return new ApiFailure(status, (JSON.parse(text) as { message: string }).message);
  } catch {
    return new ApiFailure(status, text.slice(0, 200) || i18next.t("failure.upload_refused", { status }));
  }
};

/** Another window, or another user, uploads under the same name: this file must begin again at its first byte. */
export class OtherUpload extends Error {
  constructor() {
    super(i18next.t("failure.upload_other"));
  }
}

/** An interrupted upload that the host still has. */
interface Stored {
  from: number;
  tag: string | undefined;
  /** The host has all bytes: only the answer to the last part was lost. */
  isWhole: boolean;
}

/** What the host has of an interrupted upload (records 6.4.1); nothing if it has not started, or another one has. */
async function storedPart(url: string, tag: string | undefined, calls: UploadCalls): Promise<Stored> {
  const answer = await sendBytes("HEAD", url, {}, null, calls, 0);
  const isStored = answer.status === 204 || answer.status === 200;
  // Content without a tag may be of an earlier upload. Unfinished bytes without one are of a host that has no tags.
  const isOurs = tag === undefined ? !answer.isComplete : answer.tag === tag;
  if (!isStored || !isOurs) return { from: 0, tag: answer.tag, isWhole: false };
  return { from: answer.offset ?? 0, tag: answer.tag, isWhole: answer.isComplete };
}

/**
 * Uploads a file in parts, resuming an earlier attempt with the same file (records 6.4.1). Abort the signal to pause,
 * call again to resume. The entry must be initialised first and committed afterwards.
 * @param isSame whether the stored bytes are of this file. Else it starts from its first byte.
 * @param tag of the earlier attempt, if known: the stored bytes of another one are replaced
 * @throws OtherUpload if the stored bytes are no longer those of this upload
 */
export async function uploadContent(
  draftId: string,
  key: string,
  { file, isSame, tag: before }: { file: File; isSame: boolean; tag: string | undefined },
  calls: ContentCalls,
): Promise<FileEntry | undefined> {
  const url = draftFileContent(draftId, key);
  const stored = isSame ? await storedPart(url, before, calls) : undefined;
  if (stored?.isWhole && stored.from === file.size) return undefined;
  let { from, tag } = stored !== undefined && stored.from <= file.size ? stored : { from: 0, tag: undefined };
  let isAnswered = false;
  for (;;) {
    calls.onProgress(from);
    const to = Math.min(file.size, from + sliceBytes);
    const complete = to === file.size ? "?1" : "?0";
    const first = from === 0;
    const answer = await sendBytes(
      first ? "PUT" : "PATCH",
      url,
      {
        "Content-Type": first ? "application/octet-stream" : "application/partial-upload",
        "Upload-Complete": complete,
        ...(first ? { "Upload-Length": String(file.size) } : { "Upload-Offset": String(from) }),
        ...(first || tag === undefined ? {} : { "If-Match": tag }),
      },
      file.slice(from, to),
      calls,
      from,
    );
    if (answer.status === 412) throw new OtherUpload();
    if (answer.status === 409 && answer.offset !== undefined) {
      // At first, more bytes of the attempt before may have arrived. Later, bytes of somebody else have.
      if (isAnswered) throw new OtherUpload();
      isAnswered = true;
      from = answer.offset;
      continue;
    }
    if (answer.status >= 300) throw refusal(answer);
    if (first) {
      tag = answer.tag;
      calls.onBegun(tag);
    }
    if (complete === "?1") return answer.text ? (JSON.parse(answer.text) as FileEntry) : undefined;
    from = answer.offset ?? to;
    isAnswered = true;
  }
}
