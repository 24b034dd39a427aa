import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { ApiDocument } from "../support/api-document.ts";
import { addFile } from "../support/files.ts";
import type { Answer } from "../support/http-client.ts";
import { PlainClient } from "../support/plain-client.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "../support/records.ts";
import { type FuzzedRequest, type KnownIds, requestArbitrary } from "../support/request-arbitrary.ts";
import { givenComment, givenSubmitted } from "../support/reviews.ts";

const requests = Number(process.env.RUNS ?? 1000);
const seed = Number(process.env.SEED ?? 20261121);

/** Left out: endless streams, and calls that end the caller's token or replica. */
const isLeftOut = ({ method, path }: FuzzedRequest): boolean =>
  /^\/api\/sync\/events/.test(path) ||
  (method === "DELETE" && /^\/api\/(tokens\/current|sync\/connect)/.test(path)) ||
  /^\/api\/sync\/pause/.test(path);

/** Several objects of each kind, because requests delete them. */
async function givenWorld(api: Api): Promise<KnownIds> {
  const alice = await api.as("alice");
  const admin = await api.as("admin");
  const several = <T>(make: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: 4 }, (_, n) => make(n)));
  const restricted = { ...withoutFiles, access: { record: "restricted", files: "restricted" } };
  const records = await several((n) => givenRecord(alice, n % 2 === 0 ? withoutFiles : restricted));
  const withFile = await givenDraft(alice, { metadata });
  await addFile(alice, withFile, "a.txt", Buffer.from("text"));
  const published = await givenDraft(alice, { metadata });
  await addFile(alice, published, "a.txt", Buffer.from("text"));
  await alice.post(`/api/records/${published}/draft/actions/publish`);
  const drafts = [withFile, ...(await several(() => givenDraft(alice)))];
  const reviews = [];
  const comments: string[] = [];
  for (const title of ["One", "Two", "Three"]) {
    const review = await givenSubmitted(api, "alice", "bob", title);
    reviews.push(review);
    comments.push(await givenComment(api, "bob", review.request, "Hm"));
  }
  const { body: link } = await alice.post(`/api/records/${records[0]}/access/links`, { permission: "view" });
  await admin.post("/api/groups", { name: "readers" });
  const { body: parent } = await alice.get(`/api/records/${records[0]}`);
  const ids = [...records, ...drafts, published, parent.parent.id, ...reviews.map(({ draft }) => draft)];
  const people = [await api.idOf("alice"), await api.idOf("bob")];
  return {
    "records.id": ids,
    "sync.id": ids,
    "requests.id": reviews.map(({ request }) => request),
    "users.id": people,
    "groups.id": ["readers", "superuser-access"],
    "vocabularies.id": ["image-photo", "eng", "mit"],
    "affiliations.id": ["01ggx4157"],
    cid: comments,
    link: [link.id],
    key: ["a.txt", "b.zip"],
    n: ["0", "1"],
    type: ["resourcetypes", "languages"],
    action: ["submit", "accept", "decline", "cancel", "expire"],
    subject: [...people, "readers", `record:${records[0]}`, `draft:${drafts[0]}`],
  };
}

/** The fault of an answer, for any request; undefined if it has none. */
function faultOf(document: ApiDocument, request: FuzzedRequest, answer: Answer): string | undefined {
  const { status, headers, body, text } = answer;
  const { method, path } = request;
  const isHead = method === "HEAD";
  // Being offline is no fault of a replica (hosts-and-sync 3).
  if (status >= 500 && !(status === 503 && (isHead || /server/.test(body?.message)))) return `${status}: ${text}`;
  if (!headers.get("x-request-id")) return "no request id";
  if (headers.get("x-content-type-options") !== "nosniff") return "no nosniff";
  if (isHead && text !== "") return "HEAD with a body";
  if (status === 405 && !headers.get("allow")) return "405 without Allow";
  if (status === 401 && !/^Bearer/.test(headers.get("www-authenticate") ?? "")) return "401 without a challenge";
  if (method === "OPTIONS" && status < 300) return headers.get("allow") ? undefined : "OPTIONS without Allow";
  if (status >= 400 && isHead) return undefined;
  if (status >= 400 && body?.status !== status) return `the body does not say ${status}: ${text.slice(0, 200)}`;
  if (/node_modules|\.ts:|SQLITE|sqlite|at \/|SELECT /.test(status >= 400 ? text : "")) return `innards: ${text}`;
  return document.find(method, path) || status >= 400 ? document.faultOf(method, path, answer) : undefined;
}

const shown = ({ body, ...request }: FuzzedRequest) =>
  JSON.stringify({ ...request, path: request.path.slice(0, 300), body: body?.toString().slice(0, 300) }).replace(
    /(.)\1{20,}/g,
    "$1…",
  );

describe.each(roles)("fuzzed requests on the %s (search-and-conventions 10)", (role) => {
  test(`${requests} requests: no 5xx, no hang, every answer as described`, {
    timeout: 300_000 + requests * 500,
  }, async () => {
    const api = await startApi(role);
    const ids = await givenWorld(api);
    const { client } = await api.person("alice");
    const document = await ApiDocument.of(client);
    const people = role === "server" ? ["alice", "bob", "admin"] : ["alice"];
    const credentials = new Map<string, Record<string, string>>([
      ["anonymous", {}],
      ["stranger", { authorization: "Bearer nothing" }],
    ]);
    for (const name of people) credentials.set(name, { authorization: (await api.as(name)).authorization });
    const callers = [...people, ...people, ...people, ...credentials.keys()];
    const plain = new PlainClient(client.url);
    const queue = fc.sample(requestArbitrary(document, ids, callers), { numRuns: requests, seed });
    const faults: string[] = [];
    const statuses = new Map<number, number>();
    const work = async () => {
      for (let request = queue.pop(); request; request = queue.pop()) {
        if (isLeftOut(request)) continue;
        const { caller, method, path, headers, body } = request;
        try {
          const answer = await plain.call(method, path, { ...headers, ...credentials.get(caller) }, body);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const fault = faultOf(document, request, answer);
          if (fault !== undefined) faults.push(`${fault}\n  ${shown(request)}`);
        } catch (error) {
          faults.push(`${error}\n  ${shown(request)}`);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));
    plain.close();
    expect(faults.slice(0, 20)).toEqual([]);
    // Enough requests passed the first checks.
    const good = [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
    expect(good).toBeGreaterThan(requests / 20);
  });
});
