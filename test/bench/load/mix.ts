import { join } from "node:path";
import { openDatabase } from "../../../shared/database/open.ts";
import { rebuildIndex } from "../../../shared/search/sqlite/index-job.ts";
import { createPersonIn } from "../../support/bench-server.ts";
import { addFile, filesOf, givenDraft, givenRecord, must } from "../../support/files.ts";
import { HttpClient } from "../../support/http-client.ts";
import { Random } from "../../support/random.ts";
import { withoutFiles } from "../../support/records.ts";
import { fillWithRecords, rowsOf, Words } from "../record-generator.ts";
import type { Kind } from "./arrivals.ts";

const [people, downloadable, drafts] = [8, 20, 40];
/** Each written by itself: of two uploads of one file at once the second is refused. */
const filesInDraft = 10;
const [downloadBytes, uploadBytes] = [64 * 1024, 16 * 1024];
/** How many different requests there are of one kind. */
const variants = 400;

/** Fills the data folder of a server before it starts; gives a token for each person. */
export async function fillLibrary(data: string, records: number): Promise<string[]> {
  const database = openDatabase(join(data, "carrel.sqlite"));
  // Of no record: a server does not index its library anew whenever it is started.
  await rebuildIndex(database.db);
  await fillWithRecords(database.db, records, { descriptionWords: 40 });
  await database.close();
  const tokens: string[] = [];
  for (let at = 0; at < people; at++) tokens.push((await createPersonIn(data, `person${at}`)).token);
  return tokens;
}

/** Ids of the generated records that everybody may read. */
function publicIds(records: number): string[] {
  const random = new Random(7);
  const words = new Words(random);
  const rows = Array.from({ length: records }, (_, at) => rowsOf(random, words, at, 40));
  return rows.filter(({ record }) => record.access.includes('"record":"public"')).map(({ record }) => record.id);
}

const bytesOf = (length: number) => Buffer.alloc(length, "carrel load ").toString("latin1");

interface Prepared {
  pages: string[];
  downloads: string[];
  /** Paths of drafts, with the person who owns each. */
  drafts: { path: string; token: string }[];
  request: { path: string; token: string };
}

async function prepare(url: string, tokens: string[]): Promise<Prepared> {
  const clients = tokens.map((token) => ({ token, client: new HttpClient(url, token) }));
  const random = new Random(1);
  const prepared: Prepared = { pages: [], downloads: [], drafts: [], request: { path: "", token: "" } };
  for (let at = 0; at < downloadable; at++) {
    const id = await givenRecord(random.of(clients).client, { "data.bin": bytesOf(downloadBytes), "notes.txt": "x" });
    prepared.pages.push(`/api/records/${id}`);
    prepared.downloads.push(`/api/records/${id}/files/data.bin/content`);
  }
  for (let at = 0; at < drafts; at++) {
    const { token, client } = random.of(clients);
    const id = await givenDraft(client);
    const keys = Array.from({ length: filesInDraft }, (_, place) => ({ key: `log-${place}.bin` }));
    must(await client.post(filesOf(id), keys), 201);
    prepared.drafts.push({ path: `/api/records/${id}/draft`, token });
  }
  const [author, reviewer] = clients;
  if (!author || !reviewer) throw new Error("there are no people");
  const draft = await givenDraft(author.client);
  await addFile(author.client, draft, "a.txt", "a");
  const { id: user } = (await reviewer.client.get("/api/me")).body;
  const review = must(await author.client.put(`/api/records/${draft}/draft/review`, { receiver: { user } }), 200);
  must(await author.client.post(`/api/records/${draft}/draft/actions/submit-review`), 202);
  prepared.request = { path: `/api/requests/${review.body.id}`, token: reviewer.token };
  return prepared;
}

interface Wire {
  token?: string | undefined;
  method?: string;
  body?: string;
  type?: string;
  accept?: string;
}

/** What a team does in an hour, compressed: mostly reads, a tenth searches, a tenth downloads, some writes. */
export async function mixFor(url: string, tokens: string[], records: number): Promise<Kind[]> {
  const { host } = new URL(url);
  const random = new Random(3);
  const words = new Words(random);
  const prepared = await prepare(url, tokens);
  const ids = publicIds(records);
  const wire = (path: string, { token, method = "GET", body, type = "application/json", accept }: Wire = {}) => {
    const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, `Accept: ${accept ?? "application/json"}`];
    if (token) lines.push(`Authorization: Bearer ${token}`);
    if (body !== undefined) lines.push(`Content-Type: ${type}`, `Content-Length: ${body.length}`);
    return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
  };
  const kind = (name: string, share: number, make: (at: number) => string): Kind => ({
    name,
    share,
    requests: Array.from({ length: variants }, (_, at) => make(at)),
  });
  const someone = () => random.of(tokens);
  const guestOrSomeone = () => (random.chance(0.5) ? undefined : someone());
  const query = () => encodeURIComponent(words.text(1 + random.below(2)));
  const metadata = () => ({ ...withoutFiles.metadata, title: words.text(6), description: `<p>${words.text(60)}</p>` });
  const comment = () => JSON.stringify({ payload: { content: `<p>${words.text(20)}</p>`, format: "html" } });
  return [
    kind("read a record", 40, () => wire(`/api/records/${random.of(ids)}`, { token: guestOrSomeone() })),
    kind("list its files", 14, () => wire(`${random.of(prepared.pages)}/files`, { token: guestOrSomeone() })),
    kind("cite it", 4, () => wire(`/api/records/${random.of(ids)}`, { accept: "application/x-bibtex" })),
    kind("read a draft", 8, () => {
      const { path, token } = random.of(prepared.drafts);
      return wire(path, { token });
    }),
    kind("search records", 8, () => wire(`/api/records?q=${query()}`, { token: guestOrSomeone() })),
    kind("search own", 2, () => wire(`/api/user/records?q=${query()}`, { token: someone() })),
    kind("look up a word", 8, () => wire(`/api/vocabularies/languages?q=${words.one().slice(0, 2)}`)),
    kind("download 64 KiB", 10, () => wire(random.of(prepared.downloads), { token: guestOrSomeone(), accept: "*/*" })),
    kind("save a draft", 3.5, () => {
      const { path, token } = random.of(prepared.drafts);
      const body = JSON.stringify({ metadata: metadata(), files: { enabled: true } });
      return wire(path, { token, method: "PUT", body });
    }),
    kind("create a draft", 0.5, () => {
      const body = JSON.stringify({ metadata: metadata(), files: { enabled: false } });
      return wire("/api/records", { token: someone(), method: "POST", body });
    }),
    kind("upload 16 KiB", 1, (at) => {
      const { path, token } = prepared.drafts[at % drafts] ?? { path: "", token: "" };
      const bytes = { method: "PUT", body: bytesOf(uploadBytes), type: "application/octet-stream" };
      return wire(`${path}/files/log-${Math.floor(at / drafts) % filesInDraft}.bin/content`, { token, ...bytes });
    }),
    kind("comment", 1, () => {
      const { path, token } = prepared.request;
      return wire(`${path}/comments`, { token, method: "POST", body: comment() });
    }),
  ];
}
