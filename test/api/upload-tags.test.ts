import { beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { fileOf, filesOf, givenDraft } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";

describe.each(roles)("the ETag of an upload on the %s (records 6.4.1)", (role) => {
  let api: Api;
  let alice: HttpClient;
  let id: string;
  let url: string;
  beforeAll(async () => {
    api = await startApi(role);
    alice = await api.as("alice");
    id = await givenDraft(alice);
    await alice.post(filesOf(id), [{ key: "a" }]);
    url = `${fileOf(id, "a")}/content`;
    return () => api.close();
  });

  const append = (offset: number, bytes: Uint8Array, isComplete: boolean, headers: Record<string, string>) =>
    alice.call("PATCH", url, bytes, {
      headers: {
        "content-type": "application/partial-upload",
        "upload-offset": String(offset),
        "upload-complete": isComplete ? "?1" : "?0",
        ...headers,
      },
    });

  test("a PATCH that names an earlier upload by If-Match is 412, and nothing is appended (issue 17)", async () => {
    const begin = async (letter: string) => {
      const { headers } = await alice.putBytes(url, letter.repeat(1000), { headers: { "upload-complete": "?0" } });
      return headers.get("etag") ?? "";
    };
    const [one, other] = [await begin("a"), await begin("b")];
    expect(one).not.toBe(other);
    expect((await append(1000, Buffer.from("a"), true, { "if-match": one })).status).toBe(412);
    const head = await alice.head(url);
    expect([head.headers.get("upload-offset"), head.headers.get("etag")]).toEqual(["1000", other]);
    const part = await append(1000, Buffer.from("b"), false, { "if-match": other });
    expect([part.status, part.headers.get("etag")]).toEqual([204, other]);
    expect((await append(1001, Buffer.from("b"), true, { "if-match": "*" })).status).toBe(200);
    await alice.post(`${fileOf(id, "a")}/commit`);
    expect((await alice.get(url)).text).toBe("b".repeat(1002));
  });

  test("the content keeps the ETag of its upload until it is committed: who lost the last answer knows it (issue 17)", async () => {
    await alice.post(filesOf(id), [{ key: "b" }]);
    const content = `${fileOf(id, "b")}/content`;
    const begun = await alice.putBytes(content, "one", { headers: { "upload-complete": "?0" } });
    const headers = {
      ...{ "content-type": "application/partial-upload", "upload-offset": "3", "upload-complete": "?1" },
      "if-match": begun.headers.get("etag") ?? "",
    };
    expect((await alice.call("PATCH", content, Buffer.from("two"), { headers })).status).toBe(200);
    const stateOf = async () => {
      const { headers: state } = await alice.head(content);
      return [state.get("upload-complete"), state.get("upload-offset"), state.get("etag")];
    };
    expect(await stateOf()).toEqual(["?1", "6", begun.headers.get("etag")]);
    await alice.putBytes(content, "twelve");
    const [isComplete, offset, tag] = await stateOf();
    expect([isComplete, offset]).toEqual(["?1", "6"]);
    expect(tag).not.toBe(begun.headers.get("etag"));
  });
});
