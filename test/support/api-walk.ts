import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Api } from "./api.ts";
import { ApiDocument } from "./api-document.ts";
import type { Answer, CallOptions, HttpClient } from "./http-client.ts";
import { metadata, withoutFiles } from "./records.ts";
import { comment } from "./reviews.ts";
import { settled, until } from "./two-replicas.ts";

/** Calls that are made one after the other, each judged by the document. */
class Walker {
  readonly faults: string[] = [];
  readonly #seen = new Set<string>();
  readonly #document: ApiDocument;

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  /** A call that succeeds, as described. */
  async call(client: HttpClient, verb: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    const answer = await client.call(verb, path, body, options);
    const call = this.#document.find(verb, path);
    if (answer.status >= 400) this.faults.push(`${verb} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    else if (call) this.#seen.add(`${call.verb} ${call.path}`);
    const fault = this.#document.faultOf(verb, path, answer);
    if (fault !== undefined) this.faults.push(fault);
    return answer;
  }

  /** A walker with one person's client. */
  as(client: HttpClient) {
    const path = (place: string) => (place.startsWith("http") ? new URL(place).pathname : `/api${place}`);
    return {
      get: (place: string, options?: CallOptions) => this.call(client, "GET", path(place), undefined, options),
      head: (place: string) => this.call(client, "HEAD", path(place)),
      post: (place: string, body?: unknown) => this.call(client, "POST", path(place), body),
      put: (place: string, body?: unknown, options?: CallOptions) =>
        this.call(client, "PUT", path(place), body, options),
      patch: (place: string, body?: unknown, options?: CallOptions) =>
        this.call(client, "PATCH", path(place), body, options),
      delete: (place: string, body?: unknown) => this.call(client, "DELETE", path(place), body),
      octets: (place: string, bytes: string | Uint8Array) =>
        this.call(client, "PUT", path(place), bytes, { headers: { "content-type": "application/octet-stream" } }),
    };
  }

  unseen(): string[] {
    const routes = this.#document.calls.filter(({ responses }) => Object.keys(responses).some((code) => code < "4"));
    return routes.map(({ verb, path }) => `${verb} ${path}`).filter((route) => !this.#seen.has(route));
  }
}

type Person = ReturnType<Walker["as"]>;

/** The header of a PNG of 800 by 600, which is all that is looked at. */
function image(): Buffer {
  const header = Buffer.alloc(24);
  header.write("\u0089PNG\r\n\u001a\n\0\0\0\rIHDR", "latin1");
  header.writeUInt32BE(800, 16);
  header.writeUInt32BE(600, 20);
  return header;
}

const zip = () => readFile(join(import.meta.dirname, "zip-fixtures/info-zip.zip"));
const everything = {
  ...metadata,
  description: "<p>Long <b>words</b></p>",
  additional_titles: [{ title: "Another title", type: { id: "subtitle" }, lang: { id: "eng" } }],
  contributors: [{ ...metadata.creators[0], role: { id: "editor" }, affiliations: [{ id: "01ggx4157" }] }],
  languages: [{ id: "eng" }],
  subjects: [{ subject: "ice" }],
  dates: [{ date: "2020", type: { id: "created" } }],
  rights: [{ id: "cc-by-4.0" }, { title: { en: "Mine" }, link: "https://example.org" }],
  identifiers: [{ identifier: "https://example.org/x", scheme: "url" }],
  related_identifiers: [{ identifier: "10.1234/foo", relation_type: { id: "cites" } }],
  references: [{ reference: "A book" }],
  locations: { features: [{ place: "Rome", geometry: { type: "Point", coordinates: [12, 41] } }] },
  funding: [{ funder: { name: "Somebody" }, award: { title: { en: "Ice" }, number: "7" } }],
};

async function walkDraftFiles(alice: Person, id: string): Promise<void> {
  const files = `/records/${id}/draft/files`;
  await alice.post(files, [{ key: "a.zip" }, { key: "b.txt" }, { key: "c.png" }, { key: "d.txt" }]);
  await alice.octets(`${files}/a.zip/content`, await zip());
  const part = { "content-type": "application/octet-stream", "upload-complete": "?0" };
  await alice.put(`${files}/b.txt/content`, "te", { headers: part });
  await alice.head(`${files}/b.txt/content`);
  const rest = { "content-type": "application/partial-upload", "upload-offset": "2", "upload-complete": "?1" };
  await alice.patch(`${files}/b.txt/content`, "xt", { headers: rest });
  await alice.octets(`${files}/c.png/content`, image());
  for (const key of ["a.zip", "b.txt", "c.png"]) await alice.post(`${files}/${key}/commit`);
  await alice.get(files);
  await alice.get(`${files}/d.txt`);
  await alice.put(`${files}/b.txt`, { metadata: { colour: "red" } });
  await alice.get(`${files}/b.txt/content`);
  await alice.get(`${files}/b.txt/content`, { headers: { range: "bytes=0-1" } });
  await alice.delete(`${files}/d.txt`);
  await alice.get(`/records/${id}/draft/files-archive`);
  const { body } = await alice.get(`/sync/drafts/${id}/files/a.zip/container`);
  await alice.get(body.entries[0].links.content);
}

async function walkPublished(alice: Person, id: string): Promise<void> {
  await alice.post(`/records/${id}/draft/actions/publish`);
  const { body } = await alice.get(`/records/${id}?expand=1`);
  await alice.get(`/records/${id}`, { headers: { accept: "application/vnd.inveniordm.v1+json" } });
  await alice.get(`/records/${body.parent.id}`);
  await alice.get("/records?q=title&sort=bestmatch&allversions=1&size=5");
  await alice.get("/records?resource_type=image", { headers: { accept: "application/vnd.inveniordm.v1+json" } });
  await alice.get("/user/records");
  for (const path of ["versions", "versions/latest", "files", "files/a.zip", "files/b.txt/content", "files-archive"])
    await alice.get(`/records/${id}/${path}`);
  const { body: listing } = await alice.get(`/records/${id}/files/a.zip/container`);
  await alice.get(`/records/${id}/files/a.zip/container?depth=1&size=1`);
  await alice.get(listing.entries[0].links.content);
  const directory = listing.directories[0].links.content;
  await alice.get(directory, { headers: { accept: "application/json" } });
  await alice.get(directory);
  for (const path of ["communities", "communities-suggestions", "requests"]) await alice.get(`/records/${id}/${path}`);
  for (const path of ["manifest", "sequence/default", "canvas/c.png"]) await alice.get(`/iiif/record:${id}/${path}`);
}

async function walkAccess(alice: Person, id: string, bob: string): Promise<void> {
  const access = `/records/${id}/access`;
  const { body: link } = await alice.post(`${access}/links`, { permission: "view", expires_at: "2999-01-01" });
  await alice.get(`${access}/links`);
  await alice.get(`${access}/links/${link.id}`);
  await alice.patch(`${access}/links/${link.id}`, { permission: "edit", description: "For Bob" });
  await alice.delete(`${access}/links/${link.id}`);
  const grant = (subject: object) => ({ grants: [{ permission: "view", subject, message: "Look" }] });
  await alice.post(`${access}/grants`, grant({ type: "user", id: bob }));
  await alice.post(`${access}/grants`, grant({ type: "role", id: "readers" }));
  await alice.get(`${access}/grants`);
  await alice.get(`${access}/grants/0`);
  await alice.put(`${access}/grants/0`, { permission: "preview", subject: { type: "user", id: bob } });
  await alice.patch(`${access}/grants/0`, { permission: "edit" });
  for (const path of [`users/${bob}`, "groups/readers"]) {
    await alice.get(`${access}/${path.split("/")[0]}`);
    await alice.get(`${access}/${path}`);
    await alice.patch(`${access}/${path}`, { permission: "view" });
    await alice.get(`/records/${id}`);
  }
  await alice.delete(`${access}/users/${bob}`);
  await alice.delete(`${access}/groups/readers`);
  await alice.post(`${access}/grants`, grant({ type: "user", id: bob }));
  await alice.delete(`${access}/grants/0`);
  await alice.put(access, { allow_user_requests: true });
}

async function walkVersions(alice: Person, admin: Person, id: string): Promise<void> {
  await alice.post(`/records/${id}/draft`);
  await alice.get(`/records/${id}/draft`);
  await alice.delete(`/records/${id}/draft`);
  const { body: next } = await alice.post(`/records/${id}/versions`);
  await alice.post(`/records/${next.id}/draft/actions/files-import`);
  await alice.delete(`/records/${next.id}/draft/files`);
  await alice.post(`/records/${next.id}/draft/pids/doi`);
  await alice.get(`/records/${next.id}/draft`);
  await alice.delete(`/records/${next.id}/draft/pids/doi`);
  await alice.delete(`/records/${next.id}/draft`);
  await admin.delete(`/records/${id}/delete`, { removal_reason: { id: "spam" }, note: "Spam" });
  await admin.get(`/records/${id}?include_deleted=1`);
  await admin.post(`/records/${id}/restore`);
}

async function walkRecords(walker: Walker, api: Api): Promise<void> {
  const alice = walker.as(await api.as("alice"));
  const admin = walker.as(await api.as("admin"));
  await admin.post("/groups", { name: "readers" });
  const { body: draft } = await alice.post("/records", { metadata: { title: "x" } });
  await alice.put(`/records/${draft.id}/draft`, { metadata: everything });
  await alice.get(`/records/${draft.id}/draft`);
  await walkDraftFiles(alice, draft.id);
  await alice.put(`/records/${draft.id}/draft`, { metadata: everything, custom_fields: {} });
  await walkPublished(alice, draft.id);
  await walkAccess(alice, draft.id, await api.idOf("bob"));
  await walkVersions(alice, admin, draft.id);
}

async function walkConversation(alice: Person, bob: Person, id: string): Promise<void> {
  const request = `/requests/${id}`;
  const octets = await bob.octets(`${request}/files/upload/a.txt`, "text");
  const file = octets.body;
  const { body: said } = await bob.post(`${request}/comments`, comment("Hm", { files: [{ file_id: file.id }] }));
  const { body: reply } = await alice.post(`${request}/comments/${said.id}/reply`, comment("Yes"));
  await bob.get(`${request}/comments/${said.id}?expand=1`);
  await bob.put(`${request}/comments/${said.id}`, comment("Hm."));
  await alice.get(`${request}/timeline?expand=1`);
  await alice.get(`${request}/timeline_focused?focus_event_id=${reply.id}`);
  await alice.get(`${request}/comments/${said.id}/replies`);
  await alice.get(`${request}/comments/${said.id}/replies_focused?focus_event_id=${reply.id}`);
  const { body: other } = await bob.octets(`${request}/files/upload/b.txt`, "text");
  await bob.get(`${request}/files/${other.key}/content`);
  await bob.delete(`${request}/files/${other.key}`);
  await bob.delete(`${request}/comments/${said.id}`);
  await bob.post(`${request}/lock`);
  await bob.post(`${request}/unlock`);
  await alice.get(`${request}/timeline`);
}

async function walkReviews(walker: Walker, api: Api): Promise<void> {
  const alice = walker.as(await api.as("alice"));
  const bob = walker.as(await api.as("bob"));
  const receiver = { user: await api.idOf("bob") };
  const { body: draft } = await alice.post("/records", withoutFiles);
  const review = `/records/${draft.id}/draft/review`;
  await alice.put(review, { receiver, title: "Look" });
  await alice.delete(review);
  const { body: request } = await alice.put(review, { receiver });
  await alice.get(review);
  await alice.put(`/requests/${request.id}`, { title: "Please look", description: "Soon" });
  await alice.post(`/records/${draft.id}/draft/actions/submit-review`, comment("Please"));
  await bob.get(`/records/${draft.id}/draft`);
  await bob.get(`/requests/${request.id}?expand=1`);
  for (const path of ["/requests", "/user/requests", `/records/${draft.id}/requests`]) await alice.get(path);
  await walkConversation(alice, bob, request.id);
  await bob.get("/sync/notifications");
  await bob.post("/sync/notifications/read", { all: true });
  await bob.post(`/requests/${request.id}/actions/accept`);
  const { body: asked } = await alice.post(`/records/${draft.id}/requests`, { receiver });
  await alice.delete(`/requests/${asked.id}`);
}

async function walkPeople(walker: Walker, api: Api): Promise<void> {
  const alice = walker.as(await api.as("alice"));
  const admin = walker.as(await api.as("admin"));
  const bob = await api.idOf("bob");
  for (const path of ["/users", "/users?q=bob", `/users/${bob}`, `/users/${bob}/avatar.svg`, "/me"])
    await alice.get(path);
  await admin.put("/groups/readers", { description: "They read" });
  for (const path of ["/groups", "/groups/readers", "/groups/readers/avatar.svg"]) await admin.get(path);
  await admin.post(`/users/${bob}/groups`, { groups: ["readers"] });
  await admin.get(`/users/${bob}/groups`);
  await admin.get(`/users/${bob}`);
  await admin.put(`/users/${bob}/groups`, { groups: [] });
  await admin.delete(`/users/${bob}/groups`, { groups: ["readers"] });
  await admin.delete("/groups/readers");
  await alice.get("/vocabularies/resourcetypes?suggest=image");
  await alice.get("/vocabularies/resourcetypes/image-photo");
  for (const type of ["affiliations", "names", "subjects", "funders", "awards"]) {
    const { body } = await alice.get(`/${type}`);
    const [entry] = body.hits.hits;
    if (entry) await alice.get(`/${type}/${encodeURIComponent(entry.id)}`);
  }
}

async function walkSignIn(walker: Walker, api: Api): Promise<void> {
  const { users, signIn } = api.server.services;
  const card = { username: "wanda", email: "wanda@example.org", full_name: "Wanda", roles: [], affiliations: "" };
  const settings = { visibility: "public", email_visibility: "public", confirmed: true, active: true } as const;
  await users.create({ ...card, ...settings, password_hash: await signIn.hash("correct horse") });
  const anyone = walker.as(api.anonymous);
  const form = { username: "wanda", password: "correct horse" };
  await anyone.post("/login", form);
  await anyone.post("/logout");
  const tokens = await api.onServer("carol");
  const carol = walker.as(tokens);
  const { body: token } = await carol.post("/tokens", { name: "lab", expires_at: "2999-01-01" });
  await carol.get("/tokens");
  await carol.get(`/tokens/${token.id}`);
  await carol.delete(`/tokens/${token.id}`);
  const { body: own } = await anyone.post("/tokens", { ...form, name: "desk" });
  const wanda = walker.as(tokens.withToken(own.token));
  await wanda.post("/change-password", { password: "correct horse", new_password: "battery staple" });
  const { body: last } = await anyone.post("/tokens", { ...form, password: "battery staple", name: "desk" });
  await walker.as(tokens.withToken(last.token)).delete("/tokens/current");
}

/** A comment that the server refuses, and a title changed on both sides. */
async function walkDisputes(walker: Walker, api: Api, client: HttpClient, draft: string): Promise<void> {
  const alice = walker.as(client);
  const server = await api.onServer("alice");
  const bob = walker.as(await api.as("bob"));
  const titled = (title: string) => ({ ...withoutFiles, metadata: { ...metadata, title } });
  const { body: request } = await alice.put(`/records/${draft}/draft/review`, {
    receiver: { user: await api.idOf("bob") },
  });
  await alice.post(`/requests/${request.id}/actions/submit`);
  await alice.post("/sync/pause");
  await alice.post(`/requests/${request.id}/comments`, comment("Too late"));
  await alice.put(`/records/${draft}/draft`, titled("Snow here"));
  await server.put(`/api/records/${draft}/draft`, titled("Rain there"));
  await bob.post(`/requests/${request.id}/lock`);
  await alice.post("/sync/resume");
  await until(async () => (await client.get("/api/sync/status")).body.state === "needs_you", "refused work");
  const { body: tray } = await alice.get("/sync/tray");
  const entry = `/sync/tray/${tray.hits.hits[0].id}`;
  await alice.post(`${entry}/copy`);
  await alice.post(`${entry}/retry`);
  await settled(client);
  await alice.delete(entry);
  const { body: conflicts } = await alice.get("/sync/conflicts");
  await alice.post(`/sync/conflicts/${conflicts.hits.hits[0].id}`, { choose: "mine" });
}

async function walkReplica(walker: Walker, api: Api): Promise<void> {
  const { client, token } = await api.person("alice");
  const alice = walker.as(client);
  for (const path of ["status", "operations", "tray", "conflicts", "storage"]) await alice.get(`/sync/${path}`);
  for (const path of ["run", "pause", "storage/free"]) await alice.post(`/sync/${path}`);
  const { body: draft } = await alice.post("/records", withoutFiles);
  await alice.get(`/records/${draft.id}/draft`);
  await alice.get("/sync/operations");
  await alice.put(`/sync/comment-drafts/${draft.id}`, { content: "Hm" });
  await alice.get(`/sync/comment-drafts/${draft.id}`);
  await alice.post("/sync/resume");
  await settled(client);
  await walkDisputes(walker, api, client, draft.id);
  await alice.delete("/sync/connect");
  await alice.post("/sync/connect", { server: api.server.url, token });
}

/** Every call of the API once at least: what was not as described, and what was never answered 2xx or 3xx. */
export async function walkApi(api: Api): Promise<{ faults: string[]; unseen: string[] }> {
  const alice = await api.person("alice");
  const walker = new Walker(await ApiDocument.of(alice.client));
  await walkRecords(walker, api);
  await walkReviews(walker, api);
  await walkPeople(walker, api);
  await walkSignIn(walker, api);
  const person = walker.as(alice.client);
  if (api.role === "replica") await walkReplica(walker, api);
  else await person.post("/sync/ticket", {});
  await person.get("/openapi.json");
  await person.get("/docs", { headers: { accept: "text/html" } });
  return { faults: walker.faults, unseen: walker.unseen() };
}
