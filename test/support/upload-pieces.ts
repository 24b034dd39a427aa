import { expect } from "vitest";
import { must } from "./files.ts";
import type { HttpClient } from "./http-client.ts";

/** Sends one of several equal pieces of a file, at the offset that the server tells (records 6.4.1). */
export async function sendPiece(
  client: HttpClient,
  path: string,
  bytes: Uint8Array,
  { at, pieces }: { at: number; pieces: number },
): Promise<void> {
  const piece = Math.ceil(bytes.length / pieces);
  const offset = Number((await client.head(path)).headers.get("upload-offset"));
  expect(offset).toBe(at * piece);
  const headers = {
    "content-type": "application/partial-upload",
    "upload-offset": String(offset),
    "upload-complete": at === pieces - 1 ? "?1" : "?0",
  };
  must(await client.call("PATCH", path, bytes.subarray(offset, offset + piece), { headers }), 200, 204);
}
