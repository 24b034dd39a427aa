import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { givenRecord, metadata } from "../support/records.ts";

let api: Api;
let id: string;
beforeAll(async () => {
  api = await startApi();
  id = await givenRecord(await api.as("alice"), { metadata, files: { enabled: false } });
}, 60_000);

const get = (path: string, languages = "*") =>
  api.anonymous.get(path, { headers: { accept: "text/html", "accept-language": languages } });

describe("the languages of pages (web 2)", () => {
  test("?lang= counts first, then Accept-Language, then the first language of the site", async () => {
    const german = await get(`/records/${id}`, "fr, de-AT;q=0.8, en;q=0.5");
    expect(german.text).toContain('<html lang="de">');
    for (const words of ["Zitat", "Details", "Datensätze suchen", "Version 1"]) expect(german.text).toContain(words);
    expect(german.headers.get("vary")).toContain("Accept-Language");
    const english = await get(`/records/${id}`, "en-GB");
    expect(english.text).toContain('<html lang="en">');
    expect(english.headers.get("etag")).not.toBe(german.headers.get("etag"));
    // The kept page of one language is not sent to readers of another.
    expect((await get(`/records/${id}`, "de")).text).toBe(german.text);
    expect((await get(`/records/${id}?lang=en`, "de")).text).toContain('<html lang="en">');
    expect((await get(`/records/${id}?lang=xx`, "ja")).text).toContain('<html lang="en">');
    expect(german.text).toContain(`href="/records/${id}?lang=en"`);
  });

  test("titles and abstracts in lists have their language, where it is not that of the page (web 11, issue 18)", async () => {
    const german = { title: "Eismeer", description: "<p>Kerne vom Eismeer.</p>", languages: [{ id: "deu" }] };
    const other = { metadata: { ...metadata, ...german }, files: { enabled: false } };
    const record = await givenRecord(await api.as("alice"), other);
    for (const path of ["versions", "export", "people", "files/"]) {
      const { text } = await get(`/records/${record}/${path}`, "en");
      expect(text, path).toContain(`<a href="/records/${record}" lang="de">Eismeer</a>`);
    }
    for (const path of ["/", "/search?q=eismeer"]) {
      const { text } = await get(path, "en");
      expect(text, path).toMatch(/<h2 dir="auto" lang="de"><a [^>]*>(<mark>)?Eismeer/);
      expect(text, path).toContain('<p class="snippet" dir="auto" lang="de">Kerne vom');
      expect((await get(path, "de")).text, path).toMatch(/<h2 dir="auto"><a [^>]*>(<mark>)?Eismeer/);
    }
  });

  test("search, first page, files, refusals and the operator's pages speak the language, too", async () => {
    for (const path of [
      "/",
      "/search",
      "/collections",
      `/records/${id}/export`,
      "/records/aaaaa-bbb11",
      "/search?page=60",
    ]) {
      const { text } = await get(path, "de");
      expect(text, path).toContain('<html lang="de">');
      expect(text, path).toContain("Anmelden");
    }
    // The headings of filters as well (app day: German).
    for (const path of ["/", "/search"]) expect((await get(path, "de")).text, path).toContain(">Ressourcentypen</h2>");
    // The values of the access status, too (web 2, issue 18).
    const chosen = (await get("/search?access_status=metadata-only", "de")).text;
    expect(chosen).toContain("<span>Nur Metadaten</span>");
    expect(chosen).toContain(">Nur Metadaten ×</a>");
    expect((await get("/about", "de")).text).toContain('lang="de"><h1>Über');
  });

  test("a language that a visitor chooses stays on the next pages, by a cookie that others do not get (issue 18)", async () => {
    const open = (path: string, headers: Record<string, string> = {}) =>
      api.anonymous.get(path, { headers: { accept: "text/html", "accept-language": "en", ...headers } });
    const isIn = (language: string) => expect.stringContaining(`<html lang="${language}">`);
    const path = `/records/${id}`;
    const elsewhere = { "sec-fetch-site": "cross-site" };
    for (const shared of [await open(path), await open(`${path}?lang=de`, elsewhere)])
      expect([shared.headers.get("cache-control"), shared.headers.get("set-cookie")]).toEqual([
        "public, no-cache",
        null,
      ]);
    // The page is kept by now, but not with the cookie.
    const chosen = await open(`${path}?lang=de`, { "sec-fetch-site": "same-origin" });
    expect([chosen.text, chosen.headers.get("cache-control")]).toEqual([isIn("de"), "private, no-store"]);
    const cookie = chosen.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).toBe("language=de");
    for (const next of ["/", "/search?q=ice", path, "/sign-in", "/records/aaaaa-bbb11"]) {
      const { text, headers } = await open(next, { cookie });
      expect([text, headers.get("set-cookie")], next).toEqual([isIn("de"), null]);
      expect(headers.get("vary"), next).toContain("Cookie");
    }
    // A page of another language is not sent for the tag of this one.
    const english = await open(path);
    expect(english.text).toEqual(isIn("en"));
    const tag = english.headers.get("etag") ?? "";
    expect((await open(path, { cookie, "if-none-match": tag })).status).toBe(200);
    const back = await open(`${path}?lang=en`, { cookie, "sec-fetch-site": "same-origin" });
    expect([back.text, back.headers.get("set-cookie")]).toEqual([isIn("en"), expect.stringMatching(/^language=en;/)]);
    expect((await open(path, { cookie: "language=xx" })).text).toEqual(isIn("en"));
  });

  test("is kept over plain http too, where `Referer` alone names the page of the link (web 2)", async () => {
    const cookieAfter = async (headers: Record<string, string>) =>
      (await api.anonymous.get("/about?lang=de", { headers: { accept: "text/html", ...headers } })).headers.get(
        "set-cookie",
      );
    expect(await cookieAfter({ referer: `${api.server.url}/about` })).toMatch(/^language=de;/);
    for (const referer of ["https://other.example.org/", "", "nonsense", `https://${"a".repeat(20)}@`])
      expect([referer, await cookieAfter({ referer })]).toEqual([referer, null]);
    expect(await cookieAfter({})).toBeNull();
  });

  test("pages of accounts and requests for access speak it, too: forms, what is wrong in them, and links that ended (web 9)", async () => {
    const pages: [path: string, words: string][] = [
      ["/sign-in", "Passwort vergessen?"],
      ["/sign-out", "Möchten Sie sich abmelden?"],
      ["/forgot-password", "Dieser Server sendet keine E-Mails"],
      ["/reset-password/nothing", "Von mehreren E-Mails gilt nur der Link der neuesten."],
      ["/invitation/nothing", "Von mehreren E-Mails gilt nur der Link der neuesten. Bitten"],
      ["/confirm-email/nothing", "Von mehreren E-Mails gilt nur der Link der neuesten. Melden"],
      [`/records/${id}/access-request`, "Zugriff"],
    ];
    for (const [path, words] of pages) {
      const { text } = await get(path, "de");
      expect(text, path).toContain('<html lang="de">');
      expect(text, path).toContain(words);
      expect((await get(`${path}?lang=en`, "de")).text, path).toContain('<html lang="en">');
    }
    // A form is offered in the other language at its own address (web 2, issue 18).
    for (const path of ["/sign-in", "/sign-out"])
      expect((await get(path)).text).toMatch(new RegExp(`hreflang="de"[^>]* href="${path}[?]lang=de"`));
    expect((await get("/sign-in?next=%2Fsearch")).text).toContain('href="/sign-in?next=%2Fsearch&amp;lang=de"');
    const wrong = await fetch(`${api.server.url}/sign-in?lang=de`, {
      method: "POST",
      headers: { accept: "text/html", "accept-language": "en", origin: api.server.url },
      body: new URLSearchParams({ account: "nobody", password: "nothing at all" }),
    });
    expect([wrong.status, await wrong.text()]).toEqual([
      401,
      expect.stringMatching(/<html lang="de">[\s\S]*Der Name oder das Passwort ist falsch/),
    ]);
  });
});
