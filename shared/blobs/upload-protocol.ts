import type { Request, Response } from "express";
import { assertContentType, lentBody } from "../kernel/body.ts";
import { Failure } from "../kernel/failure.ts";
import type { BlobFacts } from "./blob-store.ts";
import type { UploadOutcome, UploadService, UploadState } from "./upload.service.ts";
import type { UploadTarget } from "./upload-append.ts";
import { assertWhole, uploadHeaders } from "./upload-headers.ts";

const wholeTypes = ["application/octet-stream"];
const partialTypes = ["application/partial-upload"];

/** One upload resource: its target, and how its completion is answered. */
export interface UploadCall {
  uploads: UploadService;
  target: UploadTarget;
  /** Checks at the end of the body that the caller still has permission. @throws Failure as for `target`. */
  assertAllowed?: () => Promise<unknown>;
  answerComplete(facts: BlobFacts): Promise<void>;
}

const flag = (isComplete: boolean): string => (isComplete ? "?1" : "?0");

/** @throws Failure 415 unless the body has the type of a PUT or PATCH (records 1.3, 6.4.1). */
export const assertUploadType = (req: Request): void =>
  assertContentType(req, req.method === "PATCH" ? partialTypes : wholeTypes);

async function answerOutcome(res: Response, call: UploadCall, outcome: UploadOutcome, status: number): Promise<void> {
  if (outcome.state === "complete") {
    res.setHeader("Upload-Complete", flag(true));
    res.setHeader("Upload-Offset", String(outcome.facts.sizeBytes));
    return call.answerComplete(outcome.facts);
  }
  res.setHeader("Upload-Complete", flag(false));
  res.setHeader("Upload-Offset", String(outcome.offset));
  res.setHeader("ETag", outcome.tag);
  res.setHeader("Upload-Limit", `max-size=${call.target.maxBytes}`);
  res.status(status).end();
}

/** The body. Bytes after the caller lost permission are dropped. */
async function* bodyOf(req: Request, call: UploadCall): AsyncGenerator<Buffer> {
  yield* lentBody(req);
  await call.assertAllowed?.();
}

/** A writer that ends because its file was removed learns of that, and not of a newer upload. */
async function received(call: UploadCall, receive: () => Promise<UploadOutcome>): Promise<UploadOutcome> {
  try {
    return await receive();
  } catch (error) {
    if (error instanceof Failure && error.kind === "conflict") await call.assertAllowed?.();
    throw error;
  }
}

/** `PUT`: new content, whole or its first part (records 6.4, 6.4.1). */
export async function putUpload(req: Request, res: Response, call: UploadCall): Promise<void> {
  assertWhole(req.headers);
  const headers = uploadHeaders(req.headers);
  const outcome = await received(call, () => call.uploads.put(call.target, bodyOf(req, call), headers));
  await answerOutcome(res, call, outcome, 201);
}

/** `PATCH`: continues at the stored offset. @throws Failure 400 without its two headers. */
export async function patchUpload(req: Request, res: Response, call: UploadCall): Promise<void> {
  const headers = uploadHeaders(req.headers);
  if (headers.offset === undefined || headers.isComplete === undefined) {
    throw new Failure("invalid", "The headers 'Upload-Offset' and 'Upload-Complete' are needed.");
  }
  const outcome = await received(call, () => call.uploads.patch(call.target, bodyOf(req, call), headers));
  await answerOutcome(res, call, outcome, 204);
}

/** `HEAD`: the stored offset. */
export function answerUploadState(res: Response, state: UploadState, maxBytes: number): void {
  res.setHeader("Upload-Offset", String(state.offset));
  res.setHeader("Upload-Complete", flag(state.isComplete));
  if (state.tag !== undefined) res.setHeader("ETag", state.tag);
  res.setHeader("Upload-Limit", `max-size=${maxBytes}`);
  if (state.length !== undefined) res.setHeader("Upload-Length", String(state.length));
  res.setHeader("Cache-Control", "no-store");
  res.status(204).end();
}
