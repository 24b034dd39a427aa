import { describe, expect, test } from "vitest";
import { vendorType } from "../../shared/kernel/negotiation.ts";
import { roles, startApi } from "../support/api.ts";
import {
  addFile,
  fileOf,
  filesOf,
  givenDraft as givenFileDraft,
  givenRecord as givenFileRecord,
} from "../support/files.ts";
import { givenDraft, givenRecord, metadata, withoutFiles } from "../support/records.ts";

describe.each(roles)("what clients of InvenioRDM send and read, on the %s", (role) => {
  test("a file announced with size 0 takes any content; no body is read by commit (interoperability 1, 31, 42)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenFileDraft(alice);
    const init = await alice.post(filesOf(id), [{ key: "a.txt", size: 0 }]);
    expect(init).toMatchObject({ status: 201, body: { entries: [{ status: "pending", transfer: { type: "L" } }] } });
    const octets = { headers: { "content-type": "application/octet-stream" } };
    expect((await alice.put(`${fileOf(id, "a.txt")}/content`, Buffer.from("four"), octets)).status).toBe(200);
    const commit = await alice.post(`${fileOf(id, "a.txt")}/commit`, Buffer.from("{}"), octets);
    expect(commit).toMatchObject({ status: 200, body: { status: "completed", size: 4 } });
  });

  test("bodies have the keys that clients read without asking (interoperability 41)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const draft = await givenFileDraft(alice);
    await addFile(alice, draft, "Data.CSV", Buffer.from("a,b"));
    const { body } = await alice.get(`/api/records/${draft}/draft`);
    expect(body).toMatchObject({ parent: { communities: {}, pids: {} }, media_files: { enabled: false, entries: {} } });
    const entry = body.files.entries["Data.CSV"];
    expect(entry).toMatchObject({ id: entry.file_id, ext: "csv" });
    const record = await givenRecord(alice);
    expect((await alice.get(`/api/records/${record}`)).body.deletion_status).toEqual({
      is_deleted: false,
      status: "P",
    });
  });

  test("PUT with `files: {}` keeps the options of the files (interoperability 46)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenDraft(alice, withoutFiles);
    const saved = await alice.put(`/api/records/${id}/draft`, { metadata, files: {} });
    expect(saved).toMatchObject({ status: 200, body: { files: { enabled: false } } });
  });

  test("lists of vocabularies and versions name their page (interoperability 45)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenRecord(alice);
    expect((await alice.get("/api/vocabularies/languages?page=2")).body.page).toBe(2);
    expect((await alice.get(`/api/records/${id}/versions`)).body.page).toBe(1);
  });

  test("submitting names the next page; a released DOI answers the draft (interoperability 3, 4)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    await api.as("bob");
    const id = await givenDraft(alice);
    await alice.put(`/api/records/${id}/draft/review`, {
      receiver: { user: await api.idOf("bob") },
      type: "default-request",
    });
    const { status, body } = await alice.post(`/api/records/${id}/draft/actions/submit-review`);
    expect(status).toBe(202);
    expect(body.links.next_html).toBe(body.links.self_html);
  });

  test("a link set has an item for each file and describes every type (interoperability 18, 36)", async () => {
    const api = await startApi(role);
    const alice = await api.as("alice");
    const id = await givenFileRecord(alice, { "a b.txt": Buffer.from("four") });
    const { body: record } = await alice.get(`/api/records/${id}`);
    const { text } = await alice.get(`/api/records/${id}`, { headers: { accept: "application/linkset+json" } });
    const [page, file, ...descriptions] = JSON.parse(text).linkset;
    const href = `${new URL(record.links.self).origin}/api/records/${id}/files/a%20b.txt/content`;
    expect(page.item).toEqual([{ href, type: "text/plain", length: 4 }]);
    expect(page.linkset).toEqual([{ href: record.links.self, type: "application/linkset+json" }]);
    // Only a server has pages, where each export has its own address (web 7).
    const marc = role === "server" ? `${record.links.self_html}/export/marcxml` : record.links.self;
    expect(page.describedby).toContainEqual({
      href: marc,
      type: "application/marcxml+xml",
      profile: "http://www.loc.gov/MARC21/slim",
    });
    const collection = [{ href: record.links.self_html, type: "text/html" }];
    expect(file).toEqual({ anchor: href, collection, type: [{ href: "https://schema.org/MediaObject" }] });
    expect(descriptions).toContainEqual({ anchor: marc, describes: collection });
  });
});

test("public bytes are open to every origin and answer 304 to If-Modified-Since (interoperability 8)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenFileRecord(alice, { "é.txt": Buffer.from("four") });
  const path = `/api/records/${id}/files/%C3%A9.txt/content`;
  const { headers } = await api.anonymous.get(path, { headers: { origin: "https://viewer.example.org" } });
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("content-disposition")).toContain('filename="e.txt"; filename*=UTF-8');
  const modified = headers.get("last-modified") ?? "";
  const since = (time: string, more = {}) =>
    api.anonymous.get(path, { headers: { "if-modified-since": time, ...more } });
  expect((await since(modified)).status).toBe(304);
  expect((await since(modified, { "if-none-match": '"other"' })).status).toBe(200);
  expect((await since("Thu, 01 Jan 1970 00:00:00 GMT")).status).toBe(200);
  expect((await since("nonsense")).status).toBe(200);
  expect((await alice.get(path)).headers.get("access-control-allow-origin")).toBeNull();
});

test("releasing a DOI answers the draft to vendor clients alone (interoperability 4)", async () => {
  const api = await startApi("server");
  const alice = await api.as("alice");
  const id = await givenDraft(alice);
  const path = `/api/records/${id}/draft/pids/doi`;
  for (const [accept, status] of [
    [vendorType, 200],
    ["application/json", 204],
  ] as const) {
    await alice.post(path);
    const answer = await alice.delete(path, undefined, { headers: { accept } });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.body).toMatchObject({ id, pids: {} });
  }
});
