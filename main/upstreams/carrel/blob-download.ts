import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Failure } from "../../../shared/kernel/failure.ts";
import type { ByteRange } from "../../../shared/kernel/ranges.ts";
import type { Account } from "../../sync/upstream.ts";
import { wireHeaders } from "./wire-headers.ts";

/** @returns undefined if the server does not have the bytes. @throws Failure 403; any other error is a lost connection. */
export async function downloadBlob(
  { server, token }: Account,
  signal: AbortSignal,
  sha256: string,
  range?: ByteRange,
): Promise<Readable | undefined> {
  const response = await fetch(`${server}/api/sync/blobs/${sha256}`, {
    signal,
    // Only the user's own server may receive the token.
    redirect: "error",
    headers: {
      ...wireHeaders,
      "accept-encoding": "identity",
      authorization: `Bearer ${token}`,
      ...(range ? { range: `bytes=${range.start}-${range.end - 1}` } : {}),
    },
  });
  if (response.status === 403) throw new Failure("forbidden", "Permission denied.");
  if (response.status !== (range ? 206 : 200) || !response.body) {
    await response.body?.cancel();
    return undefined;
  }
  return Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
}
