import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { writeZip } from "../../shared/containers/zip-writer.ts";
import { recordTypes } from "../../shared/representations/representations.ts";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft, givenRecord, must } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";

const restricted = { record: "restricted", files: "restricted" } as const;

test("HEAD of every GET route: same status and headers, no body; a forwarded HEAD reaches the server once (records 1.1; hosts-and-sync 3)", async () => {
  const api = await startApi("replica");
  const [alice, bob] = [await api.as("alice"), await api.as("bob")];
  const id = await givenDraft(bob);
  await addFile(bob, id, "core.bin", "the bytes");
  const link = (await bob.post(`/api/records/${id}/access/links`, { permission: "preview" })).body;
  const calls: string[] = [];
  const note = (message: unknown) => {
    const { method, path } = (message as { request: ClientRequest }).request;
    if (!path.startsWith("/api/sync")) calls.push(method);
  };
  subscribe("http.client.request.start", note);
  try {
    for (const [path, methods] of [
      ["/api/tokens", ["GET"]],
      ["/api/records?scope=server", ["GET"]],
      [`/api/records/${id}/draft?token=${link.token}`, ["GET"]],
      [`${fileOf(id, "core.bin")}/content?token=${link.token}`, ["HEAD"]],
    ] as const) {
      const got = await alice.get(path);
      calls.splice(0);
      const head = await alice.head(path);
      expect(calls, path).toEqual(methods);
      expect([head.status, head.text], path).toEqual([200, ""]);
      for (const name of ["content-length", "content-type", "etag"])
        expect(head.headers.get(name), `${path}: ${name}`).toBe(got.headers.get(name));
    }
  } finally {
    unsubscribe("http.client.request.start", note);
  }
});

test("forwarded exports have this replica's links, whatever their type (fault 11; hosts-and-sync 3)", async () => {
  const api = await startApi("replica");
  const [alice, bob] = [await api.as("alice"), await api.as("bob")];
  const id = await givenRecord(await api.onServer("bob"), {}, { isFilesEnabled: false, access: restricted });
  const link = must(await bob.post(`/api/records/${id}/access/links`, { permission: "view" }), 201).body;
  const server = api.server.url;
  const typesWithLinks = new Set<string>();
  for (const accept of recordTypes) {
    for (const path of [`/api/records/${id}?token=${link.token}`, `/api/records?scope=server&token=${link.token}`]) {
      const headers = { accept };
      const direct = await new HttpClient(server).get(path.replace("scope=server&", ""), { headers });
      const got = await alice.get(path, { headers });
      expect([path, accept, got.status]).toEqual([path, accept, 200]);
      expect(got.headers.get("content-type")).toBe(direct.headers.get("content-type"));
      expect(got.text, `${path} ${accept}`).not.toContain(server);
      expect(got.text.split(alice.url).length, `${path} ${accept}`).toBe(direct.text.split(server).length);
      if (direct.text.includes(server)) typesWithLinks.add(accept);
      const head = await alice.head(path, { headers });
      expect(head.headers.get("content-length")).toBe(got.headers.get("content-length"));
    }
  }
  for (const accept of ["application/x-bibtex", "application/x-dc+xml", "text/csv", "text/x-bibliography"])
    expect([...typesWithLinks]).toContain(accept);
});

test("links that an administrator hands over lead to the server, whose page opens them (administration day; web 9)", async () => {
  const api = await startApi("replica");
  const admin = await api.as("admin");
  const ada = await api.as("ada");
  const { id } = (await ada.get("/api/me")).body;
  const invited = must(await admin.post("/api/invitations", { email: "karin@example.org" }), 201).body;
  const again = must(await admin.post(new URL(invited.links.resend).pathname), 200).body;
  const reset = must(await admin.post(`/api/administration/people/${id}/actions/reset-password`), 200).body;
  for (const { link } of [invited, again, reset]) expect(link).toMatch(new RegExp(`^${api.server.url}/`));
  for (const { link } of [again, reset]) expect((await fetch(link)).status).toBe(200);
  // What the app itself calls next is on this computer.
  expect(invited.links.resend.startsWith(`${admin.url}/api/invitations/`)).toBe(true);
});

test("a group that is created through a replica is listed and read there, offline too (hosts-and-sync 3)", async () => {
  const api = await startApi("replica");
  const admin = await api.as("admin");
  must(await admin.post("/api/groups", { name: "divers", description: "They dive" }), 201);
  must(await admin.post("/api/sync/pause", {}), 200);
  const { hits } = (await admin.get("/api/groups?q=divers")).body.hits;
  expect(hits).toMatchObject([{ id: "divers", description: "They dive" }]);
  expect((await admin.get("/api/groups/divers")).status).toBe(200);
});

test("forwarded file contents stay unchanged, also JSON in an archive (fault 11; hosts-and-sync 3)", async () => {
  const api = await startApi("replica");
  const [alice, bob] = [await api.as("alice"), await api.as("bob")];
  const json = Buffer.from(JSON.stringify({ home: `${api.server.url}/api/records`, other: `${api.server.url}0/` }));
  const size = { sizeBytes: json.length, compressedBytes: json.length };
  const open = async () => Readable.from([json]);
  const member = { name: "map.geojson", dosTime: 0, method: 0, crc32: undefined, ...size, open };
  const zip = await buffer(Readable.from(writeZip([member])));
  const id = await givenRecord(bob, { "maps.zip": zip, "map.geojson": json, "a.json": json }, { access: restricted });
  const { token } = must(await bob.post(`/api/records/${id}/access/links`, { permission: "view" }), 201).body;
  for (const path of ["maps.zip/container/map.geojson", "map.geojson/content", "a.json/content"]) {
    const answer = await alice.get(`/api/records/${id}/files/${path}?token=${token}`);
    expect([path, answer.status, answer.text]).toEqual([path, 200, json.toString()]);
  }
});
