import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";

const html = "text/html,*/*;q=0.8";
let api: Api;
let alice: HttpClient;
beforeAll(async () => {
  api = await startApi("server");
  alice = await api.as("alice");
}, 60_000);

async function givenLink(
  key: string,
  link: Record<string, unknown> = { permission: "view" },
  access = { record: "restricted", files: "restricted" },
  content: string | Uint8Array = "bytes",
) {
  const id = await givenDraft(alice, { metadata, access });
  await addFile(alice, id, key, content);
  await publish(alice, id);
  const { body } = await alice.post(`/api/records/${id}/access/links`, link);
  return { id, token: String(body.token), linkId: String(body.id) };
}

/** A picture of one pixel. */
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const cookieIn = (headers: Headers): string => (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
const asBrowser = (cookie = "") => ({ headers: { accept: html, ...(cookie ? { cookie } : {}) } });

describe("a page that is opened by a link (web 9)", () => {
  test("keeps the link in a cookie, leaves the secret out of the address, and says that a link opened it", async () => {
    const { id, token } = await givenLink("core & rim.txt", { permission: "view", expires_at: "2099-03-03" });
    const first = await api.anonymous.get(`/records/${id}?lang=en&token=${token}`, asBrowser());
    expect([first.status, first.headers.get("location")]).toEqual([303, `/records/${id}?lang=en`]);
    const sent = first.headers.get("set-cookie") ?? "";
    for (const part of ["links=", "HttpOnly", "SameSite=Lax", "Max-Age=2592000"]) expect(sent).toContain(part);
    const cookie = cookieIn(first.headers);
    const shown = await api.anonymous.get(`/records/${id}`, asBrowser(cookie));
    expect(shown.status).toBe(200);
    expect(shown.text).toContain("Opened by a link, until March 3, 2099.");
    expect(shown.text).not.toContain(token);
    expect(shown.headers.get("cache-control")).toBe("private, no-store");
    expect(shown.headers.get("x-robots-tag")).toBe("noindex");
    const content = `/api/records/${id}/files/${encodeURIComponent("core & rim.txt")}/content`;
    expect((await api.anonymous.get(content, asBrowser(cookie))).text).toBe("bytes");
    expect((await api.anonymous.get(`/records/${id}/files/core%20%26%20rim.txt`, asBrowser(cookie))).status).toBe(200);
    expect((await api.anonymous.get(content)).status).toBe(403);
  });

  test("the cookie reads and never writes, and no list shows the record by it", async () => {
    const { id, token } = await givenLink("a.txt", { permission: "edit" });
    const cookie = cookieIn((await api.anonymous.get(`/records/${id}?token=${token}`, asBrowser())).headers);
    const options = { headers: { cookie } };
    expect((await api.anonymous.get(`/api/records/${id}`, options)).status).toBe(200);
    expect((await api.anonymous.post(`/api/records/${id}/draft`, {}, options)).status).toBe(403);
    for (const path of ["/api/records?q=Romans", "/search?q=Romans"])
      expect((await api.anonymous.get(path, options)).text).not.toContain(id);
  });

  test("a public record says that the link to its files may have ended, to who came by one (web 4, 9; issue 18)", async () => {
    const access = { record: "public", files: "restricted" };
    const { id, token, linkId } = await givenLink("a.txt", { permission: "view" }, access);
    const cookie = cookieIn((await api.anonymous.get(`/records/${id}?token=${token}`, asBrowser())).headers);
    const ended = "A link may also have ended.";
    expect((await api.anonymous.get(`/records/${id}`, asBrowser(cookie))).text).not.toContain(ended);
    await alice.delete(`/api/records/${id}/access/links/${linkId}`);
    expect((await api.anonymous.get(`/records/${id}`, asBrowser(cookie))).text).toContain(ended);
    expect((await api.anonymous.get(`/records/${id}?token=${token}`, asBrowser())).text).toContain(ended);
    expect((await api.anonymous.get(`/records/${id}`, asBrowser())).text).not.toContain(ended);
  });

  test("a link that ended opens nothing and sets no cookie; a browser keeps eight links", async () => {
    const { id, token, linkId } = await givenLink("a.txt");
    const cookie = cookieIn((await api.anonymous.get(`/records/${id}?token=${token}`, asBrowser())).headers);
    await alice.delete(`/api/records/${id}/access/links/${linkId}`);
    const ended = await api.anonymous.get(`/records/${id}?token=${token}`, asBrowser());
    expect([ended.status, ended.headers.get("set-cookie")]).toEqual([403, null]);
    expect(ended.text).toContain("A link may also have ended, and needs cookies: allow them for this site.");
    expect((await api.anonymous.get(`/records/${id}`, asBrowser(cookie))).status).toBe(403);
    const { body } = await alice.post(`/api/records/${id}/access/links`, { permission: "view" });
    const many = `links=${Array.from({ length: 12 }, (_one, at) => `token${at}`).join(".")}`;
    const next = await api.anonymous.get(`/records/${id}?token=${body.token}`, asBrowser(many));
    const tokens = cookieIn(next.headers).slice("links=".length).split(".");
    expect([tokens.length, tokens[0]]).toEqual([8, body.token]);
  });

  test("what the cookie opens is stored in no cache, and names no secret to other sites (web 10, security 10; issue 18)", async () => {
    const { id, token } = await givenLink("a.txt");
    const cookie = cookieIn((await api.anonymous.get(`/records/${id}?token=${token}`, asBrowser())).headers);
    for (const path of [
      ...["", "/files", "/files/a.txt/content", "/files-archive"].map((part) => `/api/records/${id}${part}`),
      `/records/${id}/export/bibtex`,
    ]) {
      const { status, headers } = await api.anonymous.get(path, { headers: { cookie } });
      const kept = ["cache-control", "referrer-policy", "x-robots-tag"].map((name) => headers.get(name));
      expect([path, status, ...kept]).toEqual([path, 200, "private, no-store", "no-referrer", "noindex"]);
    }
  });

  test("pictures of the record are shown by the cookie too (web 17, issue 18)", async () => {
    const { id, token } = await givenLink("dot.png", undefined, undefined, dot);
    const cookie = cookieIn((await api.anonymous.get(`/records/${id}?token=${token}`, asBrowser())).headers);
    const picture = `/api/iiif/record:${id}:dot.png/full/max/0/default.png`;
    expect((await api.anonymous.get(picture)).status).toBe(403);
    expect((await api.anonymous.get(picture, { headers: { cookie } })).status).toBe(200);
  });

  test("the link of a draft opens it without an account; others are led to sign in (web 4, 9; issue 18)", async () => {
    const id = await givenDraft(alice, { metadata });
    const { body } = await alice.post(`/api/records/${id}/access/links`, { permission: "preview" });
    const first = await api.anonymous.get(`/uploads/${id}?token=${body.token}`, asBrowser());
    expect([first.status, first.headers.get("location")]).toEqual([303, `/uploads/${id}`]);
    const shown = await api.anonymous.get(`/uploads/${id}`, asBrowser(cookieIn(first.headers)));
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(metadata.title);
    const other = await api.anonymous.get(`/uploads/${id}`, asBrowser());
    expect([other.status, other.headers.get("location")]).toEqual([302, `/sign-in?next=%2Fuploads%2F${id}`]);
  });
});
