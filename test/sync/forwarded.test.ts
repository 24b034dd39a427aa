import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { addFile, fileOf, givenDraft } from "../support/files.ts";

test("HEAD: every GET route, same status and headers, no body; of what is passed on the server is asked once (records 1.1; hosts-and-sync 3)", async () => {
  const api = await startApi("replica");
  const [alice, bob] = [await api.as("alice"), await api.as("bob")];
  const id = await givenDraft(bob);
  await addFile(bob, id, "core.bin", "the bytes");
  const link = (await bob.post(`/api/records/${id}/access/links`, { permission: "preview" })).body;
  const asked: string[] = [];
  const note = (message: unknown) => {
    const { method, path } = (message as { request: ClientRequest }).request;
    if (!path.startsWith("/api/sync")) asked.push(method);
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
      asked.splice(0);
      const head = await alice.head(path);
      expect(asked, path).toEqual(methods);
      expect([head.status, head.text], path).toEqual([200, ""]);
      for (const name of ["content-length", "content-type", "etag"])
        expect(head.headers.get(name), `${path}: ${name}`).toBe(got.headers.get(name));
    }
  } finally {
    unsubscribe("http.client.request.start", note);
  }
});
