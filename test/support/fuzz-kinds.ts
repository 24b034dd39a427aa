import fc from "fast-check";
import { WebSocket } from "ws";
import { readMessage, writeAnswer, writeAsk, writeUpdate } from "../../server/sync/live/live-wire.ts";
import { commandHandlers } from "../../shared/api.ts";
import { writePresence } from "../../shared/sync-protocol/presence-wire.ts";
import type { Api } from "./api.ts";
import { fileOf, filesOf, fixtureBytes } from "./files.ts";
import type { Answer, HttpClient } from "./http-client.ts";
import { anyMetadata } from "./metadata-arbitraries.ts";
import { givenDraft } from "./records.ts";

/** Ids that inputs may name: the caller's and others'. */
export interface Known {
  victim: string[];
  own: string[];
}

/** One kind of input: generates inputs and sends one as the caller. */
export interface FuzzKind<Input = unknown> {
  inputs: fc.Arbitrary<Input>;
  /** @returns the fault of the answer, if any. */
  play(input: Input): Promise<string | undefined>;
}

type MakeKind = (api: Api, caller: HttpClient, known: Known) => Promise<FuzzKind>;
// Hides the input type from whoever runs a kind.
const kind = <Input>(made: FuzzKind<Input>): FuzzKind => made as FuzzKind;

const faultOf = ({ status, text, body }: Answer): string | undefined => {
  if (status >= 500 && status !== 503) return `${status}: ${text.slice(0, 300)}`;
  return status >= 400 && body?.status !== status ? `no error body: ${text.slice(0, 300)}` : undefined;
};

const hostile = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 1e300, "", "..", "__proto__", "\u0000", "\ud800", [], {}, [[]]),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Every registered command with known keys, unknown keys, and ids of all users. */
const push: MakeKind = async (api, caller, known) => {
  const kinds = [...commandHandlers(api.server.services).keys()];
  const id = fc.constantFrom(...known.victim, ...known.own);
  const keys = ["id", "draftId", "recordId", "requestId", "parentId", "userId", "owner", "roles", "body", "metadata"];
  const more = [
    "level",
    "permission",
    "subject",
    "epoch",
    "update",
    "changes",
    "files",
    "name",
    "key",
    "action",
    "data",
  ];
  const payload = fc.oneof(
    fc.dictionary(fc.constantFrom(...keys, ...more), fc.oneof(id, hostile), { maxKeys: 8 }),
    hostile,
  );
  const operation = fc.record({
    id: fc.uuid(),
    kind: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...kinds) }, { weight: 1, arbitrary: fc.string() }),
    version: fc.constantFrom(1, 1, 1, 2, 99),
    payload,
  });
  return kind({
    inputs: fc.oneof(
      { weight: 9, arbitrary: fc.array(operation, { maxLength: 3 }) },
      { weight: 1, arbitrary: hostile },
    ),
    play: async (operations) => faultOf(await caller.post("/api/sync/push", { operations })),
  });
};

/** So many saves go to one draft: each keeps its history, which is tidied only while nobody saves. */
const savesOfDraft = 100;

const metadata: MakeKind = async (_api, caller) => {
  let draft = givenDraft(caller);
  let saves = 0;
  return kind({
    inputs: anyMetadata,
    async play(sent) {
      saves += 1;
      if (saves % savesOfDraft === 0) draft = givenDraft(caller);
      return faultOf(await caller.put(`/api/records/${await draft}/draft`, { metadata: sent }));
    },
  });
};

/** Query strings from the words of the query language, in any order. */
const query: MakeKind = async (_api, caller) => {
  const words = [
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    '"',
    "~2",
    "^3",
    "*",
    "?",
    "/a+/",
    "/(",
    "[",
    "]",
    "{",
    "TO",
    ":",
    "title:",
  ];
  const others = [
    "_exists_:",
    "created:",
    "sea",
    "deep",
    "\\",
    "-",
    "+",
    "!",
    ">=2020",
    "now-1d",
    "||",
    "海",
    "é",
    "\u0000",
  ];
  const text = fc.array(fc.oneof(fc.constantFrom(...words, ...others), fc.string({ maxLength: 4 })), { maxLength: 14 });
  const path = fc.constantFrom(
    "/records",
    "/user/records",
    "/requests",
    "/users",
    "/groups",
    "/vocabularies/languages",
  );
  const sort = fc.constantFrom("", "&sort=newest", "&size=x", "&page=-1", "&size=10000&page=2", "&sort=__proto__");
  return kind({
    inputs: fc.tuple(path, text, sort),
    play: async ([at, parts, rest]) =>
      faultOf(await caller.get(`/api${at}?q=${encodeURIComponent(parts.join(" ").toWellFormed())}${rest}`)),
  });
};

/** Bytes with some changed, removed or doubled. */
const damaged = (bytes: Uint8Array): fc.Arbitrary<Buffer> =>
  fc
    .array(fc.tuple(fc.nat(bytes.length), fc.nat(255), fc.constantFrom("set", "cut", "double", "end")), {
      maxLength: 6,
    })
    .map((edits) => {
      let out = Buffer.from(bytes);
      for (const [at, value, edit] of edits) {
        if (edit === "set" && at < out.length) out[at] = value;
        else if (edit === "cut") out = Buffer.concat([out.subarray(0, at), out.subarray(at + 1 + (value % 16))]);
        else if (edit === "double") out = Buffer.concat([out.subarray(0, at), out.subarray(Math.max(0, at - value))]);
        else if (edit === "end" && value < 40) out = out.subarray(0, at);
      }
      return out;
    });

const zip: MakeKind = async (_api, caller) => {
  const id = await givenDraft(caller, { files: { enabled: true } });
  const names = ["info-zip.zip", "dots.zip", "cp437.zip", "bad-size.zip", "absolute.zip"];
  const fixtures = await Promise.all(names.map(fixtureBytes));
  let count = 0;
  return kind({
    inputs: fc.oneof(...fixtures.map(damaged)),
    async play(bytes) {
      count += 1;
      const key = `${count}.zip`;
      const made = await caller.post(filesOf(id), [{ key }]);
      if (made.status !== 201) return `${made.status}: ${made.text}`;
      await caller.putBytes(`${fileOf(id, key)}/content`, bytes);
      await caller.post(`${fileOf(id, key)}/commit`);
      const listed = await caller.get(`${fileOf(id, key)}/container`);
      const [first] = listed.body?.entries ?? [];
      const path = first === undefined ? "nothing" : encodeURIComponent(first.key);
      const opened = await caller.get(`${fileOf(id, key)}/container/${path}`).catch(() => undefined);
      await caller.delete(fileOf(id, key));
      return faultOf(listed) ?? (opened && opened.status >= 400 ? faultOf(opened) : undefined);
    },
  });
};

/** Frames on the socket of the caller's draft: intact, damaged, and unknown. */
const frames: MakeKind = async (_api, caller) => {
  const id = await givenDraft(caller, { metadata: { title: "Frames" } });
  const open = async () => {
    const { body } = await caller.post("/api/sync/ticket");
    const socket = new WebSocket(
      `${caller.url.replace("http", "ws")}/api/sync/documents/draft:${id}?ticket=${body.ticket}`,
    );
    const state = new Promise<Uint8Array>((resolve) =>
      socket.on("message", (data: Buffer) => {
        const message = readMessage(new Uint8Array(data));
        if (message.type === "answer") resolve(message.update);
      }),
    );
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return { socket, state };
  };
  const first = await open();
  first.socket.send(writeAsk(new Uint8Array([0])));
  const state = await first.state;
  first.socket.terminate();
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 80 }), damaged(state));
  const frame = fc.oneof(
    bytes,
    bytes.map((part) => writeUpdate(new Uint8Array(part))),
    bytes.map((part) => writeAnswer(new Uint8Array(part))),
    bytes.map((part) => writeAsk(new Uint8Array(part))),
    hostile.map((presence) => writePresence([{ clientId: 7, clock: 1, state: presence }])),
  );
  return kind({
    inputs: fc.array(frame, { maxLength: 8 }),
    async play(sent) {
      const { socket } = await open();
      for (const one of sent) socket.send(one);
      const closed = new Promise<number>((resolve) => socket.once("close", resolve));
      socket.close();
      // Close code 1011 means an internal error of the server.
      return (await closed) === 1011 ? "the server failed" : undefined;
    },
  });
};

/** REST calls to all objects with any body and headers. */
const rest: MakeKind = async (_api, caller, known) => {
  const id = fc.constantFrom(...known.victim, ...known.victim, ...known.own, "x", "..", "%00", "%ff", "%E0%A4%A");
  const tail = fc.constantFrom(
    ...[
      "",
      "/draft",
      "/draft/files",
      "/draft/review",
      "/draft/actions/publish",
      "/draft/pids/doi",
      "/files",
      "/access",
    ],
    ...["/access/links", "/access/grants", "/versions", "/delete", "/restore", "/requests", "/draft/files/a/content"],
    ...["/actions/submit", "/actions/accept", "/actions/cancel", "/comments", "/timeline", "/lock", "/groups"],
  );
  const root = fc.constantFrom(
    "records",
    "records",
    "requests",
    "users",
    "groups",
    "tokens",
    "sync/open",
    "sync/blobs",
  );
  const headers = fc.dictionary(
    fc.constantFrom("if-match", "accept", "range", "idempotency-key", "if-none-match", "upload-offset", "content-type"),
    fc.constantFrom("", "*", "0", '"1"', "application/json", "text/html", "bytes=0-", "-1", "x".repeat(300)),
    { maxKeys: 2 },
  );
  return kind({
    inputs: fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      path: fc.tuple(root, id, tail).map(([at, name, rest]) => `/api/${at}/${name}${rest}`),
      headers,
      body: hostile,
    }),
    async play({ method, path, headers: sent, body }) {
      if (path.startsWith("/api/tokens/")) return undefined;
      const content = method === "GET" ? undefined : JSON.stringify(body);
      return faultOf(
        await caller.call(method, path, content, { headers: { "content-type": "application/json", ...sent } }),
      );
    },
  });
};

/** The kinds by name. Pages of the feed have a test of their own. */
export const fuzzKinds: Readonly<Record<string, MakeKind>> = { push, frames, zip, metadata, query, rest };
