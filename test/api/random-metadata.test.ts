import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { ApiDocument } from "../support/api-document.ts";
import { anyMetadata } from "../support/metadata-arbitraries.ts";
import { PlainClient } from "../support/plain-client.ts";

const cases = Number(process.env.RUNS ?? 200);
const seed = Number(process.env.SEED ?? 20261121);
const lanes = 4;

type Check = (body: unknown) => Promise<void>;

/** A draft that gets one random metadata after the other; records violations. */
async function lane(api: Api, document: ApiDocument, faults: string[]): Promise<Check> {
  const alice = await api.as("alice");
  let path = "";
  let uses = 0;
  const plain = new PlainClient(alice.url);
  const headers = { authorization: alice.authorization, "content-type": "application/json" };
  const put = (body: unknown) => plain.call("PUT", path, headers, Buffer.from(JSON.stringify(body)));
  const options = { access: { record: "public", files: "public" }, files: { enabled: false } };

  return async (metadata) => {
    const shown = (what: string) => faults.push(`${what}\n  ${JSON.stringify(metadata)?.slice(0, 600)}`);
    // A draft's document keeps its history, so a new draft is used from time to time.
    if (uses++ % 20 === 0) path = `/api/records/${(await alice.post("/api/records", {})).body.id}/draft`;
    const saved = await put({ ...options, metadata });
    const fault = document.faultOf("PUT", path, saved);
    if (fault !== undefined) shown(fault);
    if (saved.status >= 500) shown(saved.text);
    // Refused as a whole: nothing was stored, and the draft is unchanged (records 3.3).
    if (saved.status !== 200) return;
    const { errors, ...answered } = saved.body;
    const stored = (await plain.call("GET", path, headers)).body;
    if (!isDeepStrictEqual(stored, answered)) shown("a GET says something else than the answer to the PUT");
    const again = await put(stored);
    const { errors: late, ...same } = again.body;
    if (again.status !== 200) shown(`what was stored is refused: ${again.text}`);
    else if (!isDeepStrictEqual(same, stored)) shown(`changed by sending it back: ${again.text}`);
    if (again.headers.get("etag") !== saved.headers.get("etag")) shown("the ETag moved");
    if (errors === undefined && late !== undefined) shown(`valid once, not twice: ${JSON.stringify(late)}`);
  };
}

describe("metadata of every kind over HTTP (records 3.3, 8)", () => {
  test(`${cases} times: never 5xx; a GET body sent back changes nothing; what is valid stays valid`, {
    timeout: 300_000 + cases * 1000,
  }, async () => {
    const api = await startApi();
    const document = await ApiDocument.of(await api.as("alice"));
    const queue = fc.sample(anyMetadata, { numRuns: cases, seed });
    const faults: string[] = [];
    const checks = await Promise.all(Array.from({ length: lanes }, () => lane(api, document, faults)));
    const work = async (check: Check) => {
      for (let next = queue.pop(); queue.length > 0 && faults.length < 20; next = queue.pop()) await check(next);
    };
    await Promise.all(checks.map(work));
    expect(faults).toEqual([]);
  });
});
