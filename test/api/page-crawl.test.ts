import { HtmlValidate } from "html-validate";
import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { addFile, fixtureBytes } from "../support/files.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const secret = "Zanzibarite";
const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // Our markup is written without optional whitespace and with the shortest form of void elements.
    "no-trailing-whitespace": "off",
    "long-title": "off",
    "no-inline-style": "error",
    // Safari forgets that a list without bullets is a list, unless its role is said.
    "no-redundant-role": "off",
    "prefer-native-element": "off",
    "tel-non-breaking": "off",
    "valid-id": ["error", { relaxed: true }],
  },
});

let api: Api;
let linked: { cookie: string; id: string };
beforeAll(async () => {
  api = await startApi("server", {
    settings: {
      site: { name: "Ocean & Sea", contact: "a@example.org", languages: ["en", "de"] },
      // A crawl of one user is dearer than what one user may cost.
      limits: { pages: false },
      collections: [{ slug: "whales", title: "Whales <3", query: "metadata.title:whale*", text: "Of whales" }],
    },
  });
  const alice = await api.as("alice");
  const creators = Array.from({ length: 60 }, (_one, at) => ({
    person_or_org: {
      type: "personal",
      family_name: `Author ${at}`,
      given_name: "Ann",
      ...(at === 0 ? { identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }] } : {}),
    },
    affiliations: [{ name: `Institute "${at % 3}" & <others>` }],
  }));
  const rich = {
    ...metadata,
    title: `A whale's "tale" & <b>more</b>`,
    creators,
    contributors: [{ ...creators[0], role: { id: "editor" } }],
    description:
      '<h1>Aim</h1><p>To <em>measure</em> <a href="https://example.org/">whales</a></p><table><tbody><tr><td>1</td></tr></tbody></table>',
    subjects: [{ subject: "whales & dolphins" }],
    languages: [{ id: "eng" }],
    rights: [{ id: "cc-by-4.0" }],
    related_identifiers: [{ identifier: "10.1234/abc", scheme: "doi", relation_type: { id: "cites" } }],
    dates: [{ date: "2020", type: { id: "collected" } }],
  };
  const id = await givenDraft(alice, { metadata: rich });
  const files: Record<string, string | Uint8Array> = {
    "README.md":
      "# Aim\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. one\n2. two\n\n- [x] done\n\n![map](map.png) [table](data/depths.csv)[^1]\n\n[^1]: note",
    "data/depths.csv": "station;depth\nS1;4\n",
    "data/more/a.json": "{}",
    'photo "1" & 2.txt': "a",
    "core.bin": "b",
    "sound.mp3": "ID3",
    "info-zip.zip": await fixtureBytes("info-zip.zip"),
    "broken.zip": await fixtureBytes("not-a-zip.zip"),
  };
  for (let at = 0; at < 60; at++) files[`logs/run-${at}.log`] = `run ${at}`;
  for (const [key, bytes] of Object.entries(files)) await addFile(alice, id, key, bytes);
  await publish(alice, id);
  const { body: next } = await alice.post(`/api/records/${id}/versions`);
  await alice.put(`/api/records/${next.id}/draft`, { metadata: rich, files: { enabled: false } });
  await publish(alice, next.id);
  await plantSecrets();
  const { body } = await alice.post(`/api/records/${linked.id}/access/links`, { permission: "view" });
  const visit = await api.anonymous.get(`/records/${linked.id}?token=${body.token}`, {
    headers: { accept: "text/html" },
  });
  linked.cookie = (visit.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}, 900_000);

/** Records that strangers must not learn of, each with the secret word in title, text, people and file names. */
async function plantSecrets(): Promise<void> {
  const alice = await api.as("alice");
  const hidden = {
    ...metadata,
    title: `${secret} title`,
    description: `<p>${secret}</p>`,
    creators: [{ person_or_org: { type: "personal", family_name: secret, given_name: "Ann" } }],
    subjects: [{ subject: secret }],
  };
  await givenDraft(alice, { metadata: hidden });
  const closed = { record: "restricted", files: "restricted" };
  const restricted = await givenDraft(alice, { metadata: { ...hidden, title: "Linked" }, access: closed });
  await addFile(alice, restricted, `${secret}.txt`, secret);
  await publish(alice, restricted);
  linked = { id: restricted, cookie: "" };
  const deleted = await givenRecord(alice, { metadata: hidden, files: { enabled: false } });
  await (await api.as("admin")).delete(`/api/records/${deleted}/delete`, { citation_text: "Was here" });
  const embargo = { active: true, until: "2099-01-01", reason: null };
  const embargoed = await givenDraft(alice, { metadata, access: { record: "public", files: "restricted", embargo } });
  await addFile(alice, embargoed, `${secret}.csv`, secret);
  await publish(alice, embargoed);
  // Was public, and is not any more.
  const later = await givenRecord(alice, { metadata: hidden, files: { enabled: false } });
  await api.anonymous.get(`/records/${later}`, { headers: { accept: "text/html" } });
  await alice.post(`/api/records/${later}/draft`);
  await alice.put(`/api/records/${later}/draft`, { metadata: hidden, access: closed, files: { enabled: false } });
  await publish(alice, later);
}

interface Visited {
  path: string;
  status: number;
  text: string;
  type: string;
}

const decoded = (text: string): string =>
  text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<");

/** Addresses that are not read: bytes of files, forms of accounts, combinations of filters, most of sixty equal files. */
const isLeftOut = (path: string): boolean =>
  /^\/(sign-in|sign-out|forgot-password)/.test(path) ||
  /^\/api\/records\/[^/]+\/(files-archive|files\/.*\/(content|container))/.test(path) ||
  /\/logs\/run-\d\d[.]log/.test(path) ||
  (path.startsWith("/search?") && path.split("&").length > 1);

/** Follows all links of pages from these addresses. */
async function crawl(starts: string[], headers: Record<string, string>): Promise<Visited[]> {
  const { url } = api.server;
  const waiting = [...starts];
  const known = new Set(waiting);
  const visited: Visited[] = [];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const answer = await api.anonymous.get(path, { headers: { accept: "text/html,*/*;q=0.8", ...headers } });
    const type = answer.headers.get("content-type") ?? "";
    visited.push({ path, status: answer.status, text: answer.text, type });
    const found = type.startsWith("text/html")
      ? [...answer.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, one = ""]) => decoded(one))
      : [];
    const next = answer.headers.get("location");
    for (const address of next === null ? found : [next]) {
      if (/^(carrel|mailto):/.test(address) || address.startsWith("#")) continue;
      const target = new URL(address, url + path);
      const local = target.pathname + target.search;
      if (target.origin !== url || known.has(local) || isLeftOut(local)) continue;
      known.add(local);
      waiting.push(local);
    }
  }
  return visited;
}

async function assertPages(visited: Visited[], url: string): Promise<void> {
  const mistakes: string[] = [];
  for (const { path, status, text, type } of visited) {
    expect(status, path).toBeLessThan(400);
    if (!type.startsWith("text/html") || path.startsWith("/api/docs")) continue;
    expect(text.match(/<h1[\s>]/g), path).toHaveLength(1);
    expect(text, path).toMatch(/<html lang="[a-z]{2}"/);
    // Nothing is loaded from another origin.
    for (const [, address = ""] of text.matchAll(/(?:src|<link rel="(?:stylesheet|icon)"[^>]* href)="([^"]+)"/g))
      expect(new URL(decoded(address), url).origin, path).toBe(new URL(url).origin);
    const { results } = await validator.validateString(text);
    for (const { ruleId, message, line, column } of results.flatMap(({ messages }) => messages))
      mistakes.push(`${path} ${line}:${column} ${ruleId}: ${message}`);
  }
  expect(mistakes).toEqual([]);
}

describe("a crawl from the first page without script (web 13)", () => {
  test("without signing in: every page is valid, no link is dead, nothing comes from elsewhere, no secret shows", async () => {
    const machines = ["/sitemap.xml", "/search.atom", "/opensearch.xml", "/robots.txt", "/.well-known/api-catalog"];
    const lists = ["ListRecords&metadataPrefix=oai_dc", "ListIdentifiers&metadataPrefix=datacite", "ListSets"];
    const starts = ["/", "/search", ...machines, "/sitemaps/pages.xml", ...lists.map((verb) => `/oai2d?verb=${verb}`)];
    const visited = await crawl(starts, {});
    const paths = visited.map(({ path }) => path);
    for (const kind of [/\/files\/$/, /\.zip/, /\/people$/, /\/export\/bibtex$/, /\/collections\/whales/, /^\/about/])
      expect(
        paths.some((path) => kind.test(path)),
        String(kind),
      ).toBe(true);
    await assertPages(visited, api.server.url);
    for (const { path, text } of visited) expect(text, path).not.toContain(secret);
  }, 900_000);

  test("as the holder of a link and as a depositor: every page is valid", async () => {
    await assertPages(await crawl([`/records/${linked.id}`], { cookie: linked.cookie }), api.server.url);
    const { token } = await api.person("alice");
    const starts = [`/records/${linked.id}`, "/search?q=Linked"];
    await assertPages(await crawl(starts, { authorization: `Bearer ${token}` }), api.server.url);
  }, 900_000);
});
