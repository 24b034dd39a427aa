import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Api } from "./api.ts";
import { picture } from "./pictures.ts";
import { metadata } from "./records.ts";
import type { Walker, WalkingPerson } from "./walker.ts";

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

async function walkDraftFiles(alice: WalkingPerson, id: string): Promise<void> {
  const files = `/records/${id}/draft/files`;
  await alice.post(files, [{ key: "a.zip" }, { key: "b.txt" }, { key: "c.png" }, { key: "d.txt" }]);
  await alice.octets(`${files}/a.zip/content`, await zip());
  const part = { "content-type": "application/octet-stream", "upload-complete": "?0" };
  await alice.put(`${files}/b.txt/content`, "te", { headers: part });
  await alice.head(`${files}/b.txt/content`);
  const rest = { "content-type": "application/partial-upload", "upload-offset": "2", "upload-complete": "?1" };
  await alice.patch(`${files}/b.txt/content`, "xt", { headers: rest });
  await alice.octets(`${files}/c.png/content`, await picture(800, 600, "png"));
  for (const key of ["a.zip", "b.txt", "c.png"]) await alice.post(`${files}/${key}/commit`);
  await alice.get(files);
  await alice.get(`${files}/d.txt`);
  await alice.put(`${files}/b.txt`, { metadata: { colour: "red" } });
  await alice.get(`${files}/b.txt/content`);
  await alice.get(`${files}/b.txt/content`, { headers: { range: "bytes=0-1" } });
  await alice.delete(`${files}/d.txt`);
  await alice.delete(`${files}/c.png`);
  const removed = `/records/${id}/draft/removed-files`;
  const { body: removedFiles } = await alice.get(removed);
  await alice.post(`${removed}/${removedFiles.entries[0].version_id}/restore`);
  await alice.post(files, [{ key: "e.txt" }]);
  await alice.post(`/records/${id}/draft/actions/files-rename`, [{ key: "e.txt", new_key: "notes/e.txt" }]);
  await alice.post(`/records/${id}/draft/actions/files-remove`, [{ key: "notes/e.txt" }]);
  await alice.get(`/records/${id}/draft/files-archive`);
  const { body } = await alice.get(`/sync/drafts/${id}/files/a.zip/container`);
  await alice.get(body.entries[0].links.content);
}

async function walkPublished(alice: WalkingPerson, id: string): Promise<void> {
  await alice.get(`/records/${id}/draft/publication-doi`);
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
  for (const path of ["", "/info.json", "/full/max/0/default.png"]) await alice.get(`/iiif/record:${id}:c.png${path}`);
  await alice.post("/stats", { views: { stat: "record-view", params: { recid: id } } });
}

async function walkAccess(alice: WalkingPerson, id: string, bob: string): Promise<void> {
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

/** Bob asks for a restricted file. */
async function walkAsking(alice: WalkingPerson, bob: WalkingPerson): Promise<void> {
  const access = { record: "public", files: "restricted" };
  const { body: draft } = await alice.post("/records", { metadata, access });
  const file = `/records/${draft.id}/draft/files`;
  await alice.post(file, [{ key: "b.txt" }]);
  const octets = { headers: { "content-type": "application/octet-stream" } };
  await alice.put(`${file}/b.txt/content`, Buffer.from("text"), octets);
  await alice.post(`${file}/b.txt/commit`);
  await alice.post(`/records/${draft.id}/draft/actions/publish`);
  await alice.put(`/records/${draft.id}/access`, { allow_user_requests: true });
  const { body: request } = await bob.post(`/records/${draft.id}/access/request`, { message: "Please" });
  await alice.get(`/requests/${request.id}`);
}

async function walkVersions(alice: WalkingPerson, admin: WalkingPerson, id: string): Promise<void> {
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

/** Makes each call about drafts, files, records, access and versions once. */
export async function walkRecords(walker: Walker, api: Api): Promise<void> {
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
  await walkAsking(alice, walker.as(await api.as("bob")));
}
