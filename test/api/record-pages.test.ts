import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { FormBrowser } from "../support/browser-forms.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const secret = "Zanzibarite";
const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

let api: Api;
let alice: HttpClient;
beforeAll(async () => {
  api = await startApi("server");
  alice = await api.as("alice");
}, 60_000);

const headings = (page: string): number => page.match(/<h1[\s>]/g)?.length ?? 0;
const page = async (path: string) => {
  const answer = await api.anonymous.get(path, asBrowser);
  expect(headings(answer.text), path).toBe(1);
  // Nothing is loaded from anywhere else.
  for (const [, address = ""] of answer.text.matchAll(/(?:src|<link rel="stylesheet" href)="([^"]*)"/g))
    expect(new URL(address, api.server.url).origin).toBe(api.server.url);
  return answer;
};

async function givenNextVersion(id: string, title: string): Promise<string> {
  const next = await alice.post(`/api/records/${id}/versions`);
  expect(next.status, next.text).toBe(201);
  const content = { metadata: { ...metadata, title, version: "2.0" }, files: { enabled: false } };
  expect((await alice.put(`/api/records/${next.body.id}/draft`, content)).status).toBe(200);
  await publish(alice, next.body.id);
  return next.body.id;
}

describe("the landing page of a record (web 4, 7, 12)", () => {
  test("shows people, files, citation, versions and exports, and names them for machines", async () => {
    const draft = await givenDraft(alice, { metadata: { ...metadata, description: "<h1>Aim</h1><p>To measure.</p>" } });
    await addFile(alice, draft, "data/core.bin", "some bytes");
    await publish(alice, draft);
    const shown = await page(`/records/${draft}`);
    expect(shown.status).toBe(200);
    for (const words of ["Brown, Troy", "data/core.bin", "10 bytes", "Download all", "Citation", "BibTeX"])
      expect(shown.text).toContain(words);
    expect(shown.text).toContain("<h3>Aim</h3>");
    expect(shown.text).toContain(`<meta name="citation_title" content="${metadata.title}">`);
    expect(shown.text).toContain('<meta name="citation_author" content="Brown, Troy">');
    const [, jsonLd = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(shown.text) ?? [];
    expect(JSON.parse(jsonLd)).toMatchObject({ "@context": "https://schema.org", name: metadata.title });
    const signposts = shown.headers.get("link") ?? "";
    expect(signposts.length).toBeLessThan(3000);
    for (const relation of ["linkset", "describedby", "type", "item"]) expect(signposts).toContain(`rel="${relation}"`);
    for (const [, address = ""] of signposts.matchAll(/<([^>]+)>/g)) expect(address).toMatch(/^https?:\/\//);
  });

  test("has a strong ETag and 304 for everybody, and no copy is kept for a person", async () => {
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    const first = await page(`/records/${id}`);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers.get("cache-control")).toBe("public, no-cache");
    const files = await page(`/records/${id}/files/`);
    const again = { headers: { ...asBrowser.headers, "if-none-match": files.headers.get("etag") ?? "" } };
    expect((await api.anonymous.get(`/records/${id}/files/`, again)).status).toBe(304);
    const own = await alice.get(`/records/${id}`, asBrowser);
    expect([own.headers.get("etag"), own.headers.get("cache-control")]).toEqual([null, "private, no-store"]);
  });

  test("an older version leads to the newest; /latest and /record/{id} lead to pages", async () => {
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    const next = await givenNextVersion(id, "A newer story");
    const older = await page(`/records/${id}`);
    expect(older.text).toContain("There is a newer version of this record.");
    expect(older.text).toContain(`/records/${next}"`);
    expect((await page(`/records/${next}`)).text).not.toContain("There is a newer version");
    const latest = await api.anonymous.get(`/records/${id}/latest`);
    expect([latest.status, latest.headers.get("location")]).toEqual([302, expect.stringMatching(`/records/${next}$`)]);
    expect((await api.anonymous.get(`/record/${id}`)).status).toBe(302);
  });

  test("answers other types by Accept with the address of the API (records 10)", async () => {
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    const json = await api.anonymous.get(`/records/${id}`, { headers: { accept: "application/ld+json" } });
    expect(json.headers.get("content-type")).toBe("application/ld+json");
    expect(json.headers.get("content-location")).toMatch(new RegExp(`/api/records/${id}$`));
    expect((await api.anonymous.get(`/records/${id}`, { headers: { accept: "image/png" } })).status).toBe(406);
  });

  test("the citation is shown in the style that is chosen, APA at first and for an unknown one (web 12)", async () => {
    const id = await givenRecord(alice);
    const cited = async (query: string) => {
      const { text } = await page(`/records/${id}${query}`);
      const [, citation = ""] = /<p id="citation"[^>]*>(.*?)<\/p>/.exec(text) ?? [];
      const [, chosen] = /<option selected>(\w+)</.exec(text) ?? [];
      return [citation.replace(/^Brown, T\. \(2020\)\..*/, "in APA").slice(0, 13), chosen];
    };
    expect(await cited("")).toEqual(["in APA", "APA"]);
    expect(await cited("?style=nobody")).toEqual(["in APA", "APA"]);
    expect(await cited("?style=MLA")).toEqual(["Brown, Troy. ", "MLA"]);
    expect(await cited("?style=mla")).toEqual(["Brown, Troy. ", "MLA"]);
  });

  test("each export of the page can be had at /records/{id}/export/{format}", async () => {
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    const { text } = await page(`/records/${id}`);
    const formats = [...text.matchAll(/<a href="[^"]*\/export\/([\w-]+)"/g)].map(([, name = ""]) => name);
    expect(formats).toContain("bibtex");
    for (const format of formats) {
      const answer = await api.anonymous.get(`/records/${id}/export/${format}`, asBrowser);
      expect(answer.status, format).toBe(200);
      expect(answer.headers.get("content-type"), format).not.toContain("text/html");
    }
    const saved = await api.anonymous.get(`/records/${id}/export/bibtex?download=1`);
    expect(saved.headers.get("content-disposition")).toBe(`attachment; filename="${id}.bib"`);
    expect((await page(`/records/${id}/export/nothing`)).status).toBe(404);
  });
});

test("the page of an embargoed record says why, in the owner's words, also to those who may read the files (issue 17)", async () => {
  const embargo = { active: true, until: "2099-01-01", reason: "A patent <b>is</b> pending." };
  const id = await givenDraft(alice, { metadata, access: { record: "public", files: "restricted", embargo } });
  await addFile(alice, id, "data.csv", "x");
  await publish(alice, id);
  const why = "Reason for the embargo: A patent &lt;b&gt;is&lt;/b&gt; pending.";
  expect((await page(`/records/${id}`)).text).toContain(why);
  expect((await alice.get(`/records/${id}`, asBrowser)).text).toContain(why);
  const german = await api.anonymous.get(`/records/${id}?lang=de`, asBrowser);
  expect(german.text).toContain("Grund des Embargos: A patent");
});

describe("what is not public stays secret on pages (web 4, 13)", () => {
  test("restricted, embargoed, deleted records and drafts show no secret word to a stranger", async () => {
    const hidden = { ...metadata, title: `${secret} title`, description: `<p>${secret}</p>` };
    const draft = await givenDraft(alice, { metadata: hidden });
    const restricted = await givenRecord(alice, {
      metadata: hidden,
      access: { record: "restricted", files: "restricted" },
      files: { enabled: false },
    });
    const deleted = await givenRecord(alice, { metadata: hidden, files: { enabled: false } });
    await (await api.as("admin")).delete(`/api/records/${deleted}/delete`, { citation_text: "Was here" });
    const expected = { [draft]: 403, [restricted]: 403, [deleted]: 410 };
    for (const [id, status] of Object.entries(expected))
      for (const rest of ["", "/files", "/export/json", "?preview=1", "/latest"]) {
        const answer = await api.anonymous.get(`/records/${id}${rest}`, asBrowser);
        const shown =
          answer.status === 302 ? await page(new URL(answer.headers.get("location") ?? "").pathname) : answer;
        expect(shown.text, `${id}${rest}`).not.toContain(secret);
        expect(shown.headers.get("x-robots-tag"), `${id}${rest}`).toBe("noindex");
        if (rest === "") expect(shown.status, id).toBe(status);
      }
    const embargo = { active: true, until: "2099-01-01", reason: null };
    const embargoed = await givenDraft(alice, { metadata, access: { record: "public", files: "restricted", embargo } });
    await addFile(alice, embargoed, `${secret}.csv`, "x");
    await publish(alice, embargoed);
    const shown = await page(`/records/${embargoed}`);
    expect(shown.text).toContain("Embargoed until January 1, 2099");
    expect(shown.text).not.toContain(secret);
    expect((await page(`/records/${embargoed}/files`)).status).toBe(403);
  });
});

test("the first page names what was published last, and only that; robots may read pages and files (web 4, 8)", async () => {
  const id = await givenRecord(alice, {
    metadata: { ...metadata, title: "The newest story" },
    files: { enabled: false },
  });
  await givenRecord(alice, {
    metadata: { ...metadata, title: `${secret} again` },
    access: { record: "restricted", files: "restricted" },
    files: { enabled: false },
  });
  const home = await page("/");
  expect(home.status).toBe(200);
  expect(home.text).toContain(`/records/${id}">The newest story</a>`);
  expect(home.text).not.toContain(secret);
  expect((await api.anonymous.get("/icon.svg")).headers.get("content-type")).toBe("image/svg+xml");
  const robots = await api.anonymous.get("/robots.txt");
  expect(robots.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(robots.text).toContain("Allow: /api/records/*/files/*/content");
});

test("a refusal outside the API is a page for browsers and JSON for everybody else (web 4)", async () => {
  const shown = await page("/nowhere");
  expect([shown.status, shown.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(shown.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
  const forOthers = await api.anonymous.get("/nowhere");
  expect(forOthers.headers.get("content-type")).toBe("application/json");
  expect((await api.anonymous.get("/api/nowhere", asBrowser)).headers.get("content-type")).toBe("application/json");
});

test("an address that cannot be decoded, and a bug, are pages for browsers, too (web 4, issue 18)", async () => {
  const broken = await page("/records/%ff");
  expect([broken.status, broken.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
  expect(broken.text).toContain("Check the address.");
  expect((await api.anonymous.get("/records/%ff")).headers.get("content-type")).toBe("application/json");
  const { lookup } = api.server.services;
  const { recordFile } = lookup;
  lookup.recordFile = () => Promise.reject(new Error("a bug"));
  try {
    const id = await givenDraft(alice, { metadata });
    await addFile(alice, id, "notes.txt", "some words");
    await publish(alice, id);
    const failed = await page(`/records/${id}/files/notes.txt`);
    expect([failed.status, failed.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"]);
    expect(failed.text).not.toContain("a bug");
    expect(failed.text).toContain(failed.headers.get("x-request-id") ?? "no id");
  } finally {
    lookup.recordFile = recordFile;
  }
});

test("who refuses HTML, or prefers another type, never gets a kept page (web 3, issue 18)", async () => {
  const id = await givenDraft(alice, { metadata });
  await addFile(alice, id, "notes.txt", "some words");
  await publish(alice, id);
  await page(`/records/${id}`);
  const typeFor = async (path: string, accept: string) =>
    (await api.anonymous.get(path, { headers: { accept } })).headers.get("content-type");
  expect(await typeFor(`/records/${id}`, "text/html;q=0, application/json")).toBe("application/json");
  expect(await typeFor(`/records/${id}`, "application/json, text/html;q=0.5")).toBe("application/json");
  expect(await typeFor(`/records/${id}/files/notes.txt`, "text/html;q=0, */*")).toMatch(/^text\/plain/);
});

describe("lists that are too long for the landing page (web 3, 4)", () => {
  test("/people has all people by page; the landing page shows ten of them and leads there", async () => {
    const creators = Array.from({ length: 120 }, (_one, at) => ({
      person_or_org: { type: "personal", family_name: `Author${at}`, given_name: "Ann" },
      affiliations: [{ name: `Institute ${at}` }],
    }));
    const id = await givenRecord(alice, { metadata: { ...metadata, creators }, files: { enabled: false } });
    const landing = await page(`/records/${id}`);
    expect(landing.text).toContain("110 more");
    expect(landing.text).not.toContain("</sup> Institute 50");
    const [first, third] = [await page(`/records/${id}/people`), await page(`/records/${id}/people?page=3`)];
    expect(first.text).toContain("Author49, Ann");
    expect(first.text).not.toContain("Author50, Ann");
    expect(third.text).toContain("Institute 119");
  });

  test("/versions lists all versions, /export all formats with a way to save them", async () => {
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    const next = await givenNextVersion(id, "A newer story");
    const versions = await page(`/records/${id}/versions`);
    for (const one of [id, next]) expect(versions.text).toContain(`/records/${one}">`);
    const formats = await page(`/records/${id}/export`);
    expect(formats.text.match(/export\/[\w-]+\?download=1/g)).toHaveLength(18);
    await page(`/records/${id}/export/`);
  });
});

describe("what signed-in users find on the pages (web 4, Signed in)", () => {
  const password = "a horse of many stables";
  const signedIn = async (name: string): Promise<FormBrowser> => {
    await api.server.services.signIn.resetPassword(await api.idOf(name), password);
    const browser = new FormBrowser(api.server.url);
    await browser.send("/sign-in", { account: name, password });
    return browser;
  };

  test("the owner edits, starts a version, shares and finds the requests; readers and strangers only read", async () => {
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    const [owner, reader] = [await signedIn("alice"), await signedIn("bob")];
    const shown = await owner.open(`/records/${id}`);
    expect(shown.text).toContain('<a href="/me/uploads">Your library</a>');
    expect(shown.text).toContain(`action="/records/${id}/own"`);
    for (const words of ["Edit", "New version", `href="/me/records/${id}#share"`, "/me/requests?view=all&amp;q="])
      expect(shown.text).toContain(words);
    for (const other of [await reader.open(`/records/${id}`), await page(`/records/${id}`)])
      expect(other.text).not.toContain(`/records/${id}/own`);

    expect((await owner.send(`/records/${id}/own`, { action: "edit" })).headers.get("location")).toBe(`/uploads/${id}`);
    expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(200);
    const next = (await owner.send(`/records/${id}/own`, { action: "new-version" })).headers.get("location") ?? "";
    expect(next).toMatch(/^\/uploads\/[0-9a-z-]{11}$/);
    // Asked again, it leads to the same draft.
    expect((await owner.send(`/records/${id}/own`, { action: "new-version" })).headers.get("location")).toBe(next);
    expect((await owner.open(`/records/${id}?preview=1`)).text).toContain(`href="/uploads/${id}">Back to editing`);
  });

  test("nobody else starts anything: another user, a stranger, another site, an unknown action", async () => {
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    const [owner, reader, stranger] = [await signedIn("alice"), await signedIn("bob"), new FormBrowser(api.server.url)];
    const [edit, own] = [{ action: "edit" }, `/records/${id}/own`];
    expect((await reader.send(own, edit)).status).toBe(403);
    expect((await stranger.send(own, edit)).headers.get("location")).toBe(`/sign-in?next=%2Frecords%2F${id}`);
    expect((await owner.send(own, edit, "https://evil.example")).status).toBe(403);
    expect((await owner.send(own, { action: "constructor" })).status).toBe(400);
    expect((await alice.get(`/api/records/${id}/draft`)).status).toBe(404);
  });

  test("an administrator is led to where a deleted record is restored; nobody else is", async () => {
    const id = await givenRecord(alice, { metadata, files: { enabled: false } });
    await (await api.as("admin")).delete(`/api/records/${id}/delete`, { removal_reason: { id: "spam" } });
    const [admin, owner] = [await signedIn("admin"), await signedIn("alice")];
    expect((await admin.open(`/records/${id}`)).text).toContain(`href="/me/records/${id}">Restore it in the app`);
    expect((await owner.open(`/records/${id}`)).text).not.toContain("Restore");
  });
});
