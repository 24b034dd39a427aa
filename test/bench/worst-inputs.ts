import { WebSocket } from "ws";
import { writeAsk, writeUpdate } from "../../server/sync/live/live-wire.ts";
import type { BenchServer } from "../support/bench-server.ts";
import type { HttpClient } from "../support/http-client.ts";

/** An expensive input. The call may be refused: only the block of the event loop counts. */
export type WorstInput = (server: BenchServer, round: string) => Promise<unknown>;

const mib = 1024 * 1024;
const json = { headers: { "content-type": "application/json" } };
const filled = (unit: string, length: number): string => unit.repeat(Math.floor(length / unit.length));
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const named = <T>(count: number, make: (i: number) => T): Record<string, T> =>
  Object.fromEntries(many(count, (i) => [`k${i}`, make(i)]));

const draftWith = (metadata: object) => ({ files: { enabled: false }, metadata: { title: "Deep", ...metadata } });
const post =
  (metadata: (round: string) => object): WorstInput =>
  ({ client }, round) =>
    client.post("/api/records", draftWith(metadata(round)));
const raw =
  (body: () => string): WorstInput =>
  ({ client }) =>
    client.post("/api/records", body(), json);
const search =
  (q: string): WorstInput =>
  ({ client }) =>
    client.get(`/api/records?q=${encodeURIComponent(q)}`);
const draft = async (client: HttpClient): Promise<string> => (await client.post("/api/records", draftWith({}))).body.id;

/** The slowest markup for a cleaner, at the largest accepted size. */
const markup = ["<", "</", "<b>", "<!--", "a<", "&lt;", '<a href="x">'];

async function frame({ client, url }: BenchServer, bytes: () => Uint8Array): Promise<void> {
  const id = await draft(client);
  const { body } = await client.post("/api/sync/ticket");
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/sync/documents/draft:${id}?ticket=${body.ticket}`);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.send(bytes());
  // The answer to the next call comes after the frame was handled.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.close();
  await closed;
}

const access = { record: "public", files: "public", embargo: { active: false, reason: null } };
const emptyParts = { custom_fields: {}, access, pids: {}, files: { enabled: false, default_preview: null, order: [] } };

const push =
  (metadata: object): WorstInput =>
  async ({ client }) => {
    const { ids } = (await client.post("/api/sync/leases", { count: 2 })).body;
    const payload = { id: ids[0], parentId: ids[1], input: { ...emptyParts, metadata } };
    return client.post("/api/sync/push", {
      operations: [{ id: crypto.randomUUID(), kind: "draft.create", version: 1, payload }],
    });
  };

/** An edit names its values up to three times. */
const pushedEdit =
  (value: object): WorstInput =>
  async ({ client }) => {
    const changes = ["title", "subjects"].map((name) => ({ path: ["metadata", name], before: value, after: value }));
    const payload = { id: await draft(client), epoch: 0, update: "AAA=", changes };
    return client.post("/api/sync/push", {
      operations: [{ id: crypto.randomUUID(), kind: "draft.edit", version: 1, payload }],
    });
  };

export const worstInputs: Readonly<Record<string, WorstInput>> = {
  ...Object.fromEntries(
    markup.map((unit) => [`a description of 2 MB of ${unit}`, post(() => ({ description: filled(unit, 1_990_000) }))]),
  ),
  "10 MiB of descriptions of <": post((round) => ({
    additional_descriptions: many(5, (i) => ({
      description: `${round}${i}${filled("<", 1_900_000)}`,
      type: { id: "methods" },
    })),
  })),
  "a title of 9 MiB": post((round) => ({ title: filled(`${round} `, 9 * mib) })),
  "a title of 9 MiB without a space": post((round) => ({ title: round + filled("x", 9 * mib) })),
  "a title of 3 MiB of combining marks": post((round) => ({ title: round + filled("a\u0301\u0323", 3 * mib) })),
  "a title of 3 M Han characters": post((round) => ({ title: round + filled("海", 3_000_000) })),
  "a title of blanks": post((round) => ({ title: `${round}${" ".repeat(9 * mib)}x` })),
  "a date of 9 MiB": post(() => ({ publication_date: filled("2020-", 9 * mib) })),
  "a date of 9 MiB of slashes": post(() => ({ publication_date: filled("/", 9 * mib) })),
  "identifiers of 1 MiB in each scheme": post(() => ({
    identifiers: ["doi", "url", "isbn", "issn", "arxiv", "ark", "handle", "urn", "pmid", "lsid", "purl", "ean13"].map(
      (scheme) => ({ scheme, identifier: filled("10.1234/-.", mib / 2) }),
    ),
  })),
  "identifiers of 1 MiB in no scheme": post(() => ({
    identifiers: ["-", "http://a.", "urn:", " ", "0", "a@", "ark:/1"].map((unit) => ({
      identifier: filled(unit, mib),
    })),
  })),
  "a URL of 9 MiB": post(() => ({ rights: [{ title: { en: "x" }, link: `http://${filled("a.", 9 * mib)}` }] })),
  "people with identifiers of 1 MiB": post(() => ({
    creators: many(8, (i) => ({
      person_or_org: {
        type: "personal",
        family_name: `F${i}`,
        identifiers: [{ scheme: "orcid", identifier: filled("0000-", mib) }],
      },
    })),
  })),
  "a geometry of 200,000 numbers": post(() => ({
    locations: { features: [{ geometry: { type: "MultiPoint", coordinates: many(60_000, (i) => [i % 90, i % 90]) } }] },
  })),
  "20,000 duplicates": post(() => ({
    related_identifiers: many(20_000, () => ({
      identifier: "10.1234/x",
      scheme: "doi",
      relation_type: { id: "cites" },
    })),
  })),
  "20,000 vocabulary ids that do not exist": post((round) => ({
    subjects: many(20_000, (i) => ({ id: `${round}${i}` })),
  })),
  "9 MiB in a custom field": ({ client }, round) =>
    client.post("/api/records", { ...draftWith({}), custom_fields: { [round]: named(100_000, (i) => i) } }),
  "120,000 keys in one object": raw(() => JSON.stringify({ metadata: named(120_000, (i) => ({ s: i })) })),
  "120,000 keys at the top": raw(() => JSON.stringify(named(120_000, (i) => i))),
  "20,000 equal keys": raw(() => `{${many(20_000, (i) => `"metadata":{"title":"${i}"}`).join(",")}}`),
  "240,000 empty lists": raw(() => `{"metadata":[${filled("[],", 3 * 120_000)}1]}`),
  "10 MiB of escapes": raw(() => `{"a":"${filled("\\u00e9", 9 * mib)}"}`),
  "8 MiB of blanks": raw(() => `{"a":${" ".repeat(8 * mib - 100)}1}`),
  "10 MiB of a number": raw(() => `{"a":${filled("9", 7 * mib)}}`),
  "a body of 10 MiB with an Idempotency-Key": ({ client }, round) =>
    client.post(
      "/api/records",
      { a: named(110_000, (i) => i), b: filled("é", 4 * mib) },
      { headers: { "idempotency-key": round } },
    ),
  "a filename list of 100,000": async ({ client }) => {
    const id = await draft(client);
    return client.post(
      `/api/records/${id}/draft/files`,
      many(100_000, (i) => ({ key: `${i}.txt` })),
    );
  },
  "100,000 grants": async ({ client }) => {
    const id = await draft(client);
    const grants = many(80_000, (i) => ({ permission: "view", subject: { type: "user", id: `${i}` } }));
    return client.post(`/api/records/${id}/access/grants`, { grants });
  },
  "a comment of 9 MiB": ({ client }) =>
    client.post("/api/requests/1/comments", { payload: { content: filled("<b>", 9 * mib) } }),
  "a push of a draft with 9 MiB of markup": push({ description: filled("<", 9 * mib) }),
  "a push of 200,000 keys": push(named(100_000, (i) => ({ i }))),
  "a pushed edit of 800,000 values": pushedEdit(many(100_000, (i) => [i])),
  "500 pushed operations of nothing known": ({ client }) =>
    client.post("/api/sync/push", {
      operations: many(500, (i) => ({ id: crypto.randomUUID(), kind: `x${i}`, version: 1, payload: {} })),
    }),
  "a frame of 8 MiB": (server) => frame(server, () => writeUpdate(new Uint8Array(8 * mib - 20))),
  "a state vector of 8 MiB": (server) => frame(server, () => writeAsk(new Uint8Array(8 * mib - 20).fill(1))),
  "a query of nested brackets": search(filled("(", 8000)),
  "a query of 4,000 OR": search(
    many(1300, (i) => `w${i}`)
      .join(" OR ")
      .slice(0, 8000),
  ),
  "a query of wildcards": search(filled("*a* ", 8000)),
  "a query of question marks": search(`${filled("?", 4000)} ${filled("?a", 3000)}`),
  "a query of fuzzy words": search(filled("mariner~2 ", 8000)),
  "a query of one long fuzzy word": search(`${filled("ab", 8000)}~2`),
  "a regular expression that backtracks": search(`/(a+)+(a|aa)+b${"(a?){30}".repeat(60)}/`),
  "a regular expression of counts": search(`/((a{1,99}){1,99}){1,99}/`),
  "a regular expression of classes": search(`/${filled("[a-z]*", 7900)}/`),
  "ranges of words": search(
    many(300, (i) => `title:[a${i} TO z]`)
      .join(" OR ")
      .slice(0, 8000),
  ),
  "a phrase of 2,000 words, sloppy": search(`"${filled("sea ", 7900)}"~50`),
  "a query of unknown fields": search(
    many(700, (i) => `f${i}:x`)
      .join(" ")
      .slice(0, 8000),
  ),
  "a query of Han": search(filled("海", 8000)),
  "8,000 dates": search(filled("created:[* TO now-1d] ", 7990)),
  "facets without end": ({ client }) =>
    client.get(`/api/records?${many(5000, (i) => `resource_type=t${i}`).join("&")}`),
  "a suggestion of 8,000 letters": ({ client }) =>
    client.get(`/api/vocabularies/languages?suggest=${filled("e", 8000)}`),
  "a name of 8,000 letters": ({ client }) => client.get(`/api/users?q=${filled("a* ", 8000)}`),
  "a path of 60,000 letters": ({ client }) => client.get(`/api/records/${filled("a/", 60_000)}`),
  "an Accept header of 60 KB": ({ client }) =>
    client.get("/api/records", { headers: { accept: filled("a/b;q=0.1,", 60_000) } }),
  "an If-None-Match of 60 KB": ({ client }) =>
    client.get("/api/records", { headers: { "if-none-match": filled('W/"1",', 60_000) } }),
  "a Range of 60 KB": ({ client }) =>
    client.get("/api/records", { headers: { range: `bytes=${filled("0-1,", 60_000)}` } }),
  "a Cookie of 60 KB": ({ client }) => client.get("/api/me", { headers: { cookie: filled("session=a;", 60_000) } }),
};
