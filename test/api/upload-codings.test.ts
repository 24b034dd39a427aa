import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft } from "../support/files.ts";
import type { Answer, HttpClient } from "../support/http-client.ts";

const coded = (coding: string) => ({ headers: { "content-encoding": coding } });
const refusal = ({ status, headers, body }: Answer) => ({
  status,
  accepted: headers.get("accept-encoding"),
  message: body.message,
});
const refused = {
  status: 415,
  accepted: "identity",
  message: "Invalid 'Content-Encoding' header. Expected: identity",
};

describe.each(roles)("bodies with a Content-Encoding on the %s (RFC 9110, 15.5.16)", (role) => {
  let api: Api;
  let alice: HttpClient;
  let id: string;
  let url: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    return () => api.close();
  });
  beforeEach(async () => {
    id = await givenDraft(alice);
    expect((await alice.post(filesOf(id), [{ key: "a" }])).status).toBe(201);
    url = `${fileOf(id, "a")}/content`;
  });

  test("content with another coding than identity is 415, and the earlier content stays", async () => {
    await alice.putBytes(url, "earlier");
    for (const coding of ["gzip", "x-gzip", "BR", "identity, gzip"])
      expect(refusal(await alice.putBytes(url, gzipSync("x"), coded(coding))), coding).toEqual(refused);
    expect((await alice.post(`${fileOf(id, "a")}/commit`)).status).toBe(200);
    expect((await alice.get(url)).text).toBe("earlier");
  });

  test("content with the coding identity is taken", async () => {
    expect((await alice.putBytes(url, "x", coded("identity"))).status).toBe(200);
  });

  test("a PATCH with a coding is 415, and nothing is appended", async () => {
    await alice.putBytes(url, "abc", { headers: { "upload-complete": "?0" } });
    const headers = {
      ...coded("gzip").headers,
      "content-type": "application/partial-upload",
      "upload-offset": "3",
      "upload-complete": "?1",
    };
    expect(refusal(await alice.call("PATCH", url, gzipSync("def"), { headers }))).toEqual(refused);
    expect((await alice.head(url)).headers.get("upload-offset")).toBe("3");
  });

  test.each(["/api/records", "/api/groups"])(
    "JSON with a coding is 415, also in a call passed on: %s",
    async (path) => {
      const headers = { ...coded("gzip").headers, "content-type": "application/json" };
      expect(refusal(await alice.post(path, gzipSync("{}"), { headers }))).toEqual(refused);
    },
  );
});
