import { authenticator } from "otplib";
import { walkAdministration } from "./administration-walk.ts";
import type { Api } from "./api.ts";
import { ApiDocument } from "./api-document.ts";
import type { HttpClient } from "./http-client.ts";
import { picture } from "./pictures.ts";
import { metadata, withoutFiles } from "./records.ts";
import { comment } from "./reviews.ts";
import { synced } from "./two-replicas.ts";
import { until } from "./until.ts";
import { walkRecords } from "./walk-records.ts";
import { Walker, type WalkingPerson } from "./walker.ts";

async function walkConversation(alice: WalkingPerson, bob: WalkingPerson, id: string): Promise<void> {
  const request = `/requests/${id}`;
  const octets = await bob.octets(`${request}/files/upload/a.txt`, "text");
  const file = octets.body;
  const { body: posted } = await bob.post(`${request}/comments`, comment("Hm", { files: [{ file_id: file.id }] }));
  const { body: reply } = await alice.post(`${request}/comments/${posted.id}/reply`, comment("Yes"));
  await bob.get(`${request}/comments/${posted.id}?expand=1`);
  await bob.put(`${request}/comments/${posted.id}`, comment("Hm."));
  const { body: pinned } = await bob.post(`${request}/comments`, { about: { file: "a.txt" }, ...comment("Which?") });
  await alice.post(`${request}/comments/${pinned.id}/resolve`);
  await bob.post(`${request}/comments/${pinned.id}/reopen`);
  await alice.get(`${request}/timeline?expand=1`);
  await alice.get(`${request}/timeline_focused?focus_event_id=${reply.id}`);
  await alice.get(`${request}/comments/${posted.id}/replies`);
  await alice.get(`${request}/comments/${posted.id}/replies_focused?focus_event_id=${reply.id}`);
  const { body: other } = await bob.octets(`${request}/files/upload/b.txt`, "text");
  await bob.get(`${request}/files/${other.key}/content`);
  await bob.delete(`${request}/files/${other.key}`);
  await bob.delete(`${request}/comments/${posted.id}`);
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
  const added = { user: await api.idOf("carol") };
  await alice.post(`/requests/${request.id}/reviewers`, added);
  await alice.get(`/requests/${request.id}/reviewers`);
  await alice.delete(`/requests/${request.id}/reviewers/user:${added.user}`);
  await bob.get("/sync/notifications");
  await bob.post("/sync/notifications/read", { all: true });
  await bob.post(`/requests/${request.id}/actions/accept`);
  const { body: created } = await alice.post(`/records/${draft.id}/requests`, { receiver });
  await alice.delete(`/requests/${created.id}`);
}

async function walkPeople(walker: Walker, api: Api): Promise<void> {
  const alice = walker.as(await api.as("alice"));
  const admin = walker.as(await api.as("admin"));
  const bob = await api.idOf("bob");
  for (const path of [
    "/users",
    "/users?q=bob",
    `/users/${bob}`,
    `/users/${bob}/avatar.svg`,
    "/me",
    "/host",
    "/user/storage",
    "/lookup",
  ])
    await alice.get(path);
  await alice.put("/me", { affiliations: "Institute of Ice", orcid: "0000-0002-1825-0097" });
  await alice.octets("/me/picture", await picture(60, 40, "png"));
  await alice.get("/me");
  await alice.delete("/me/picture");
  await admin.put("/groups/readers", { description: "They read" });
  for (const path of ["/groups", "/groups/readers", "/groups/readers/avatar.svg"]) await admin.get(path);
  const kept = { slug: "ice", title: "Ice", query: "ice", text: "Cores", group: "readers" };
  await admin.post("/collections", kept);
  for (const path of ["/collections", "/collections/ice"]) await admin.get(path);
  await admin.put("/collections/ice", { ...kept, title: "Ice cores" });
  await admin.delete("/collections/ice");
  await admin.post(`/users/${bob}/groups`, { groups: ["readers"] });
  await admin.get(`/users/${bob}/groups`);
  await admin.get(`/users/${bob}`);
  await admin.put(`/users/${bob}/groups`, { groups: [] });
  await admin.delete(`/users/${bob}/groups`, { groups: ["readers"] });
  await admin.delete("/groups/readers");
  const { body: invited } = await admin.post("/invitations", { email: "dora@example.org", roles: [] });
  await admin.get("/invitations");
  const { body: again } = await admin.post(`/invitations/${invited.id}/actions/resend`);
  await admin.delete(`/invitations/${again.id}`);
  const { body: log } = await admin.get("/audit-logs?action=group.delete&user=admin");
  await admin.get(`/audit-logs/${log.hits.hits[0].id}`);
  await alice.get("/vocabularies/resourcetypes?suggest=image");
  await alice.get("/vocabularies/resourcetypes/image-photo");
  await alice.get("/custom-fields");
  for (const type of ["affiliations", "names", "subjects", "funders", "awards"]) {
    const { body } = await alice.get(`/${type}`);
    const [entry] = body.hits.hits;
    if (entry) await alice.get(`/${type}/${encodeURIComponent(entry.id)}`);
  }
}

async function walkIdentities(wanda: ReturnType<Walker["as"]>, api: Api): Promise<void> {
  const { db } = api.server.host;
  const { id: user_id } = await db
    .selectFrom("user")
    .select("id")
    .where("username", "=", "wanda")
    .executeTakeFirstOrThrow();
  const row = { subject: "w", user_id, label: "wanda@example.org", groups: "[]", created: 1, used: 1 };
  await db
    .insertInto("identity")
    .values({ issuer: "https://id.example.org", ...row })
    .execute();
  const { body } = await wanda.get("/user/identities");
  await wanda.delete(`/user/identities/${body.hits.hits[0].id}`);
  const consent = { password: "correct horse" };
  await wanda.get("/user/second-factor");
  const { body: factor } = await wanda.post("/user/second-factor", consent);
  const proof = { code: authenticator.generate(factor.secret) };
  const { body: made } = await wanda.post("/user/second-factor/actions/confirm", proof);
  const [code] = made.recovery_codes;
  const { body: renewed } = await wanda.post("/user/second-factor/actions/renew-codes", { ...consent, code });
  const [next] = renewed.recovery_codes;
  await wanda.post("/user/second-factor/actions/remove", { ...consent, code: next });
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
  const { body: issued } = await anyone.post("/tokens", { ...form, name: "browsers" });
  const browsers = walker.as((await api.onServer("carol")).withToken(issued.token));
  const { body: open } = await browsers.get("/user/sessions");
  await browsers.delete(`/user/sessions/${open.hits.hits[0].id}`);
  await walkIdentities(browsers, api);
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

/** Covers a refused comment, and a title changed on both sides. */
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
  await synced(client);
  await alice.delete(entry);
  const { body: conflicts } = await alice.get("/sync/conflicts");
  await alice.post(`/sync/conflicts/${conflicts.hits.hits[0].id}`, { choose: "mine" });
}

async function walkReplica(walker: Walker, api: Api): Promise<void> {
  const { client, token } = await api.person("alice");
  const alice = walker.as(client);
  for (const path of ["status", "operations", "tray", "conflicts", "storage"]) await alice.get(`/sync/${path}`);
  for (const path of ["run", "pause", "storage/free"]) await alice.post(`/sync/${path}`);
  await api.as("bob");
  await alice.post("/sync/library", { folder: api.dataDirOf("bob") });
  const { body: draft } = await alice.post("/records", withoutFiles);
  await alice.get(`/records/${draft.id}/draft`);
  await alice.get("/sync/operations");
  await alice.post("/sync/resume");
  await synced(client);
  await walkDisputes(walker, api, client, draft.id);
  await alice.delete("/sync/connect");
  await alice.post("/sync/connect", { server: api.server.url, token });
}

/** Unsent comments, and on the server a title that two windows changed. */
async function walkDesk(walker: Walker, api: Api): Promise<void> {
  const { client } = await api.person("alice");
  const alice = walker.as(client);
  for (const place of ["", "/reply"]) {
    await alice.put(`/sync/comment-drafts/0f0e0d0c${place}`, { content: "Hm" });
    await alice.get(`/sync/comment-drafts/0f0e0d0c${place}`);
  }
  if (api.role === "replica") return;
  const { body: read } = await client.post("/api/records", withoutFiles);
  const path = `/api/records/${read.id}/draft`;
  const titled = (title: string) => ({ ...read, metadata: { ...metadata, title } });
  const merging = { headers: { "if-match": `"${read.revision_id}"`, prefer: "handling=merge" } };
  await client.put(path, titled("Snow here"));
  await client.put(path, titled("Rain there"), merging);
  const { body: conflicts } = await alice.get("/sync/conflicts");
  await alice.post(`/sync/conflicts/${conflicts.hits.hits[0].id}`, { choose: "mine" });
}

/** Makes every call of the API. @returns mismatches with the description, and calls that never succeeded. */
export async function walkApi(api: Api): Promise<{ faults: string[]; neverSucceeded: string[] }> {
  const alice = await api.person("alice");
  const walker = new Walker(await ApiDocument.of(alice.client));
  await walkRecords(walker, api);
  await walkReviews(walker, api);
  await walkPeople(walker, api);
  await walkAdministration(walker, api);
  await walkDesk(walker, api);
  await walkSignIn(walker, api);
  const person = walker.as(alice.client);
  if (api.role === "replica") await walkReplica(walker, api);
  else await person.post("/sync/ticket", {});
  await person.get("/openapi.json");
  await person.get("/docs", { headers: { accept: "text/html" } });
  return { faults: walker.faults, neverSucceeded: walker.neverSucceeded() };
}
