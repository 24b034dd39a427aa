import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, test } from "vitest";
import { canonical } from "../../shared/documents/draft-input.ts";
import { type Api, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft, givenRecord } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { openRequest, send, statusLine } from "../support/raw-request.ts";
import { givenSubmitted } from "../support/reviews.ts";
import { bearer, givenUser, signedInBrowser, startServer, tokenFor } from "../support/sign-in.ts";

const restricted = { access: { record: "restricted", files: "restricted" } } as const;
const octets = "application/octet-stream";

interface Withdrawable {
  client: HttpClient;
  withdraw(): Promise<unknown>;
}

/** A user with a token that can be revoked. */
async function someone(api: Api, name: string, how: string): Promise<Withdrawable> {
  const { users, tokens } = api.server.services;
  const userId = await api.idOf(name);
  const grant = { userId, byPassword: false, defaultScopes: ["read", "write", "tokens"] as const };
  const { row, secret } = await tokens.issue(grant, { name: "soon withdrawn" });
  const client = new HttpClient(api.server.url, secret);
  return { client, withdraw: () => (how === "revoked" ? tokens.revokeById(row.id) : users.deactivate(userId)) };
}

interface Upload {
  method: string;
  path: string;
  type: string;
  body: Buffer;
}

/** Sends half of a body, runs `meanwhile`, then sends the rest. @returns the first line of the answer. */
async function statusOfUpload(client: HttpClient, upload: Upload, meanwhile: () => Promise<unknown>) {
  const { method, path, type, body } = upload;
  const headers = { "content-type": type, "content-length": String(body.length), authorization: client.authorization };
  const socket = await openRequest(client.url, { method, path, headers });
  const half = body.length / 2;
  await send(socket, body.subarray(0, half));
  // When a later call is answered, the server has accepted the upload.
  expect((await client.get("/api/records")).status).toBe(200);
  await meanwhile();
  const status = statusLine(socket);
  await send(socket, body.subarray(half));
  const line = await status;
  socket.destroy();
  return line?.slice(9, 12);
}

/** Reads a download, running `meanwhile` after its first part. @returns the bytes that arrived. */
async function bytesOfDownload(
  url: string,
  headers: Record<string, string>,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const call = request(url, { headers }).end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await meanwhile();
  let sizeBytes = 0;
  response.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
  });
  // A cut connection shows in the size.
  response.on("error", () => undefined);
  await new Promise((resolve) => response.once("close", resolve));
  return sizeBytes;
}

describe.each(["revoked", "deactivated"])("a caller who is %s during a call (security 9)", (how) => {
  test("gets 401 instead of the changes that they waited for", async () => {
    const api = await startApi();
    const { client, withdraw } = await someone(api, "alice", how);
    const bob = await api.as("bob");
    const draft = await givenDraft(bob);
    const { cursor } = (await client.get("/api/sync/changes")).body;
    const waiting = client.get(`/api/sync/changes?cursor=${cursor}&wait=5`);
    expect((await client.get("/api/sync/hello")).status).toBe(200);
    await withdraw();
    const subject = { type: "user", id: await api.idOf("alice") };
    await bob.post(`/api/records/${draft}/access/grants`, { grants: [{ subject, permission: "view" }] });
    expect(await waiting).toMatchObject({ status: 401 });
  });

  test("commits no upload that began before", async () => {
    const api = await startApi();
    const { client, withdraw } = await someone(api, "alice", how);
    const admin = await api.as("admin");
    const draft = await givenDraft(client);
    const { request: review } = await givenSubmitted(api, "alice", "bob");
    await client.post(filesOf(draft), [{ key: "a" }, { key: "b" }]);
    const body = Buffer.alloc(400_000, "x");
    const edit = Buffer.from(JSON.stringify({ metadata: { title: "x".repeat(400_000) } }));
    const uploads: Upload[] = [
      { method: "PUT", path: `${fileOf(draft, "a")}/content`, type: octets, body },
      { method: "PUT", path: `/api/requests/${review}/files/upload/a`, type: octets, body },
      { method: "PUT", path: `/api/sync/blobs/${"a".repeat(64)}`, type: octets, body },
      { method: "PUT", path: `/api/records/${draft}/draft`, type: "application/json", body: edit },
    ];
    const before = (await admin.get(`/api/records/${draft}/draft`)).body.revision_id;
    let isWithdrawn: Promise<unknown> | undefined;
    // All uploads have begun before the first one continues.
    const { promise: allBegun, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    const meanwhile = async () => {
      begun += 1;
      if (begun === uploads.length) resolve();
      await allBegun;
      isWithdrawn ??= withdraw();
      await isWithdrawn;
    };
    const statuses = await Promise.all(uploads.map((upload) => statusOfUpload(client, upload, meanwhile)));
    expect(statuses).toEqual(["401", "401", "401", "401"]);
    expect((await admin.post(`${fileOf(draft, "a")}/commit`)).status).toBe(400);
    expect((await admin.get(`/api/records/${draft}/draft`)).body.revision_id).toBe(before);
  });

  test("gets no more of a download that began before", async () => {
    const api = await startApi();
    const sizeBytes = 48 * 1024 * 1024;
    const id = await givenRecord(await api.as("alice"), { "a.bin": Buffer.alloc(sizeBytes) }, restricted);
    for (const path of ["files/a.bin/content", "files-archive"]) {
      const { client, withdraw } = await someone(api, how === "revoked" ? "alice" : "admin", how);
      const url = `${client.url}/api/records/${id}/${path}`;
      const { authorization } = client;
      expect(await bytesOfDownload(url, { authorization }, async () => undefined)).toBeGreaterThan(sizeBytes - 1);
      const received = await bytesOfDownload(url, { authorization }, withdraw);
      expect(received, path).toBeLessThan(sizeBytes / 2);
      if (how === "deactivated") break;
    }
  });

  test("cannot have the rest of a long push executed", async () => {
    const api = await startApi("server", { aloneBecause: "it looks into the process" });
    const { client, withdraw } = await someone(api, "alice", how);
    const { ids } = (await client.post("/api/sync/leases", { count: 64 })).body;
    const operations = Array.from({ length: ids.length / 2 }, (_, at) => ({
      id: randomUUID(),
      kind: "draft.create",
      version: 1,
      payload: { id: ids[2 * at], parentId: ids[2 * at + 1], input: canonical({}) },
    }));
    const stop = api.server.host.onCommitted(() => {
      stop();
      void withdraw();
    });
    const { status, body } = await client.post("/api/sync/push", { operations });
    expect(status).toBe(200);
    expect(body.outcomes[0]).toMatchObject({ outcome: "applied" });
    expect(body.outcomes.length).toBeLessThan(operations.length);
  });
});

test("a browser gets the whole of a long download while its session lasts (security 9)", async () => {
  const server = await startServer();
  await givenUser(server, "ada");
  const { cookie, csrf, plain } = await signedInBrowser(server, "ada");
  const sizeBytes = 24 * 1024 * 1024;
  const ada = bearer(server, (await tokenFor(server, "ada", { scopes: ["read", "write"] })).token);
  const id = await givenRecord(ada, { "a.bin": Buffer.alloc(sizeBytes) }, restricted);
  const path = `/api/records/${id}/files/a.bin/content`;
  const download = (meanwhile: () => Promise<unknown>) => bytesOfDownload(plain.url + path, { cookie }, meanwhile);
  expect(await download(async () => undefined)).toBe(sizeBytes);
  const signOut = () => plain.post("/api/logout", {}, { headers: csrf });
  expect(await download(signOut)).toBeLessThan(sizeBytes / 2);
});

test("an upload is not committed when the right to it was taken away meanwhile (security 9)", async () => {
  const api = await startApi();
  const [alice, bob] = [await api.as("alice"), await api.as("bob")];
  const draft = await givenDraft(alice);
  const path = `/api/records/${draft}/access`;
  const subject = { type: "user", id: await api.idOf("bob") };
  expect((await alice.post(`${path}/grants`, { grants: [{ subject, permission: "edit" }] })).status).toBe(201);
  await alice.post(filesOf(draft), [{ key: "a" }]);
  const upload = { method: "PUT", path: `${fileOf(draft, "a")}/content`, type: octets, body: Buffer.alloc(400_000) };
  const remove = () => alice.delete(`${path}/users/${subject.id}`);
  expect(await statusOfUpload(bob, upload, remove)).toBe("403");
  expect((await alice.post(`${fileOf(draft, "a")}/commit`)).status).toBe(400);
});
