import { beforeAll, describe, expect, test } from "vitest";
import { sitemapService } from "../../server/harvest/sitemap.service.ts";
import { type Api, startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { childOf, childrenOf, parseXml, within, type Xml } from "../support/oai-harvester.ts";
import { givenDraft, givenRecord, metadata, publish } from "../support/records.ts";

const secret = "Zanzibarite";
const settings = { site: { name: "Ocean & Sea Data Library", contact: "a@example.org" } };

let api: Api;
let alice: HttpClient;
let base: string;
beforeAll(async () => {
  api = await startApi("server", { settings });
  alice = await api.as("alice");
  base = api.server.url;
});

const get = (path: string) => api.anonymous.get(path);
const xmlAt = async (path: string): Promise<Xml> => parseXml((await get(path)).text);
const textsIn = (root: Xml, name: string): string[] => within(root, name).map(({ text }) => text);
const withoutFiles = { metadata, files: { enabled: false } };

describe("the sitemap (web 8, issue 18)", () => {
  test("names the latest public versions with the time of their last change", async () => {
    const first = await givenRecord(alice);
    const { body: next } = await alice.post(`/api/records/${first}/versions`);
    await alice.put(`/api/records/${next.id}/draft`, withoutFiles);
    await publish(alice, next.id);
    const index = await xmlAt("/sitemap.xml");
    expect(index.name).toBe("sitemapindex");
    const [pages = "", records = ""] = textsIn(index, "loc");
    expect(pages).toBe(`${base}/sitemaps/pages.xml`);
    expect(records).toMatch(new RegExp(`^${base}/sitemaps/records-[0-9a-z-]+\\.xml$`));
    expect(textsIn(await xmlAt(pages), "loc")).toContain(`${base}/`);
    const urls = within(await xmlAt(records), "url");
    expect(urls.map((url) => childOf(url, "loc")?.text)).toEqual([`${base}/records/${next.id}`]);
    expect(childOf(urls[0], "lastmod")?.text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    for (const unknown of ["records-zzzzz-zzz99.xml", "x", "records-.xml"])
      expect((await get(`/sitemaps/${unknown}`)).status).toBe(404);
  });

  test("has as many files as it needs; together they name each record once", async () => {
    for (let n = 0; n < 6; n++) await givenRecord(alice);
    const { host } = api.server;
    const expected = await host.db.selectFrom("record").select("id").where("is_latest", "=", 1).orderBy("id").execute();
    for (const size of [1, 2, 3, 7, 50]) {
      const sitemap = sitemapService(host, size);
      const files = textsIn(parseXml(await sitemap.index()), "loc").slice(1);
      expect(files).toHaveLength(Math.ceil(expected.length / size));
      const names = files.map((file) => /records-(.*)\.xml$/.exec(file)?.[1] ?? "");
      const texts = await Promise.all(names.map((name) => sitemap.records(name)));
      const listed = texts.flatMap((text) => textsIn(parseXml(text ?? ""), "loc"));
      expect(listed).toEqual(expected.map(({ id }) => `${base}/records/${id}`));
    }
  });
});

describe("the Atom feed (web 3, 8, issue 18)", () => {
  test("has the newest records, or those that a search finds, with what RFC 4287 asks for", async () => {
    const title = 'A <tall> & "true" tale \u0001';
    const id = await givenRecord(alice, {
      ...withoutFiles,
      metadata: { ...metadata, title, description: "<p>Of whales</p>" },
    });
    const answer = await get("/search.atom");
    expect(answer.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const feed = parseXml(answer.text);
    expect([feed.name, feed.attributes.xmlns]).toEqual(["feed", "http://www.w3.org/2005/Atom"]);
    expect(childOf(feed, "title")?.text).toBe("Ocean & Sea Data Library");
    for (const name of ["id", "updated", "author"]) expect(childrenOf(feed, name), name).toHaveLength(1);
    const [entry] = childrenOf(feed, "entry");
    const values = ["id", "title", "summary"].map((name) => childOf(entry, name)?.text);
    expect(values).toEqual([`${base}/records/${id}`, 'A <tall> & "true" tale', "Of whales"]);
    for (const time of within(feed, "updated")) expect(time.text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(within(entry as Xml, "name").map(({ text }) => text)).toEqual(["Brown, Troy"]);
    const found = await xmlAt("/search.atom?q=whales");
    expect(childOf(found, "title")?.text).toBe("whales · Ocean & Sea Data Library");
    expect(textsIn(found, "summary")).toEqual(["Of whales"]);
    const none = await xmlAt("/search.atom?q=nothingatall");
    expect([childrenOf(none, "entry").length, childOf(none, "updated")?.text]).toEqual([0, "1970-01-01T00:00:00Z"]);
    expect((await get("/search.atom?sort=colour")).status).toBe(400);
  });

  test("is paged by fifty, and each page leads to the next (RFC 5005)", async () => {
    const other = await startApi("server");
    const bob = await other.as("bob");
    for (let n = 0; n < 51; n++) await givenRecord(bob);
    const linksOf = (root: Xml) =>
      Object.fromEntries(childrenOf(root, "link").map(({ attributes: { rel = "", href = "" } }) => [rel, href]));
    const first = parseXml((await other.anonymous.get("/search.atom?resource_type=image&size=3")).text);
    expect(childrenOf(first, "entry")).toHaveLength(50);
    const { next = "" } = linksOf(first);
    expect(next).toBe(`${other.server.url}/search.atom?resource_type=image&page=2`);
    const last = parseXml((await other.anonymous.get(next)).text);
    expect(childrenOf(last, "entry")).toHaveLength(1);
    expect([first, last].map((page) => childOf(page, "id")?.text)).toEqual(Array(2).fill(linksOf(first).self));
    expect(linksOf(last)).toEqual({
      self: next,
      alternate: `${other.server.url}/search?resource_type=image`,
      previous: `${other.server.url}/search.atom?resource_type=image`,
    });
  });
});

test("OpenSearch, api-catalog and robots.txt name the other addresses; pages lead to them (web 8, issue 18)", async () => {
  const description = await xmlAt("/opensearch.xml");
  expect(childOf(description, "ShortName")?.text).toBe("Ocean & Sea Data");
  expect(childrenOf(description, "Url").map(({ attributes }) => attributes.template)).toEqual([
    `${base}/search?q={searchTerms}&page={startPage?}`,
    `${base}/search.atom?q={searchTerms}&page={startPage?}`,
    `${base}/opensearch.xml`,
  ]);
  const catalog = await get("/.well-known/api-catalog");
  expect(catalog.headers.get("content-type")).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  expect(catalog.headers.get("link")).toBe(`<${base}/.well-known/api-catalog>; rel="api-catalog"`);
  const anchors = catalog.body.linkset.map(({ anchor }: { anchor: string }) => anchor.replace(base, ""));
  expect(anchors).toEqual([
    "/.well-known/api-catalog",
    "/api/records",
    "/oai2d",
    "/sitemap.xml",
    "/search.atom",
    "/opensearch.xml",
    "/api/iiif",
  ]);
  const robots = (await get("/robots.txt")).text;
  expect(robots).toContain(`Sitemap: ${base}/sitemap.xml`);
  // Where `citation_pdf_url` leads.
  expect(robots).toContain("\nAllow: /records/*/files/*?download=1\n");
  // A rule matches the start of an address: the operator's page `/methods` is no part of `/me`.
  for (const page of ["me", "uploads", "sign-in", "settings"]) {
    const rules = robots.split("\n").filter((line) => line.startsWith(`Disallow: /${page}`));
    expect(rules).toEqual(["$", "/", "?"].map((end) => `Disallow: /${page}${end}`));
  }
  const asBrowser = { headers: { accept: "text/html" } };
  const home = await api.anonymous.get("/", asBrowser);
  for (const address of ["opensearch.xml", "search.atom", "unapi"])
    expect(home.text).toContain(`href="${base}/${address}"`);
  const id = await givenRecord(alice);
  const page = await api.anonymous.get(`/records/${id}`, asBrowser);
  expect(page.text).toContain(`<abbr class="unapi-id" title="${id}" hidden>`);
  for (const { headers } of [home, page]) expect(headers.get("link")).toContain('rel="api-catalog"');
});

test("unAPI gives formats and a public record in each of them (web 7, issue 18)", async () => {
  const id = await givenRecord(alice);
  const formats = within(await xmlAt("/unapi"), "format").map(({ attributes }) => attributes.name ?? "");
  expect(formats).toContain("bibtex");
  const ofRecord = await get(`/unapi?id=${id}`);
  expect([ofRecord.status, parseXml(ofRecord.text).attributes.id]).toEqual([300, id]);
  for (const format of formats) {
    const answer = await get(`/unapi?id=${id}&format=${format}`);
    expect([answer.status, answer.text.includes("A Romans story")], format).toEqual([200, true]);
  }
  expect((await get(`/unapi?id=${id}&format=word`)).status).toBe(406);
  expect((await get("/unapi?id=aaaaa-aaa11")).status).toBe(404);
});

test("feeds, sitemap, robots.txt and api-catalog have a strong ETag and 304 (findings, interoperability 38)", async () => {
  const [, records = ""] = textsIn(await xmlAt("/sitemap.xml"), "loc");
  const paths = ["/sitemap.xml", records, "/sitemaps/pages.xml", "/search.atom", "/search.atom?q=story"];
  for (const path of [...paths, "/opensearch.xml", "/robots.txt", "/.well-known/api-catalog"]) {
    const { headers } = await get(path);
    expect(headers.get("etag"), path).toMatch(/^"[\w-]{43}"$/);
    expect(headers.get("cache-control"), path).toBe("public, no-cache");
    const again = { headers: { "if-none-match": headers.get("etag") ?? "" } };
    expect((await api.anonymous.get(path, again)).status, path).toBe(304);
  }
  const before = (await get("/search.atom")).headers.get("etag");
  await givenRecord(alice);
  expect((await get("/search.atom")).headers.get("etag")).not.toBe(before);
});

describe("what is not public is in no list for machines (web 8, 13, issue 18)", () => {
  const hidden = { ...metadata, title: `${secret} title`, description: `<p>${secret}</p>` };
  const closed = { record: "restricted", files: "restricted" };
  const open = { record: "public", files: "public" };
  const embargo = { active: true, until: "2199-01-01", reason: null };

  /** Whether a stranger finds the words without knowing an id: in each list, and at each address in the lists. */
  async function crawl(words = secret): Promise<boolean> {
    const texts: string[] = [];
    const read = async (path: string): Promise<Xml> => {
      const { text } = await get(path);
      texts.push(text);
      return parseXml(text);
    };
    for (const path of ["/search.atom", `/search.atom?q=${secret.slice(0, -3)}*`, "/search.atom?sort=updated-desc"])
      await read(path);
    for (const file of textsIn(await read("/sitemap.xml"), "loc")) {
      for (const address of textsIn(await read(file), "loc")) {
        const page = await api.anonymous.get(address, { headers: { accept: "text/html" } });
        expect(page.status, address).toBe(200);
        texts.push(page.text, String(page.headers.get("link")));
      }
    }
    for (const prefix of ["oai_dc", "datacite", "oai_datacite", "marcxml", "dcat"])
      await read(`/oai2d?verb=ListRecords&metadataPrefix=${prefix}`);
    const items = await read("/oai2d?verb=ListIdentifiers&metadataPrefix=oai_dc");
    for (const identifier of textsIn(items, "identifier")) {
      await read(`/oai2d?verb=GetRecord&metadataPrefix=oai_dc&identifier=${identifier}`);
      texts.push((await get(`/unapi?id=${identifier.split(":").at(-1)}&format=bibtex`)).text);
    }
    await read("/oai2d?verb=ListSets");
    return texts.some((text) => text.includes(words));
  }

  async function setAccess(id: string, access: object): Promise<void> {
    expect((await alice.post(`/api/records/${id}/draft`)).status).toBe(201);
    const body = { metadata: hidden, access, files: { enabled: false } };
    expect((await alice.put(`/api/records/${id}/draft`, body)).status).toBe(200);
    await publish(alice, id);
  }

  test("secret words of restricted, embargoed and deleted records and of drafts, before and after changes", async () => {
    const admin = await api.as("admin");
    const body = { metadata: hidden, files: { enabled: false } };
    const draft = await givenDraft(alice, body);
    const restricted = await givenRecord(alice, { ...body, access: closed });
    const embargoed = await givenRecord(alice, { ...body, access: { ...closed, embargo } });
    const deleted = await givenRecord(alice, body);
    await admin.delete(`/api/records/${deleted}/delete`, { citation_text: "Was here" });
    const withFile = { metadata, access: { record: "public", files: "restricted", embargo } };
    const filesClosed = await givenDraft(alice, withFile);
    await addFile(alice, filesClosed, `${secret}.csv`, secret);
    await publish(alice, filesClosed);
    // A title and a name for an unpublished next version and for an edit.
    const edited = await givenRecord(alice);
    await alice.post(`/api/records/${edited}/draft`);
    await alice.put(`/api/records/${edited}/draft`, body);
    const { body: next } = await alice.post(`/api/records/${edited}/versions`);
    await alice.put(`/api/records/${next.id}/draft`, body);
    for (const id of [draft, restricted, embargoed]) expect(await crawl(id), id).toBe(false);
    expect(await crawl()).toBe(false);

    await setAccess(restricted, open);
    expect(await crawl()).toBe(true);
    await setAccess(restricted, closed);
    expect(await crawl()).toBe(false);
    await admin.post(`/api/records/${deleted}/restore`);
    expect(await crawl()).toBe(true);
    await admin.delete(`/api/records/${deleted}/delete`, { is_visible: false, citation_text: "Was here" });
    expect(await crawl()).toBe(false);
  });
});

test("a search page with a damaged address says in plain words what is wrong with it, in German too (issue 17)", async () => {
  const asBrowser = { headers: { accept: "text/html" } };
  const { status, text } = await api.anonymous.get("/search?q=ice&sort=colour", asBrowser);
  expect(status).toBe(400);
  expect(text).toContain("The address of this page is damaged or old. Please search again.");
  expect(text).toContain('value="ice"');
  const german = await api.anonymous.get("/search?page=0&lang=de", asBrowser);
  expect(german.text).toContain("beschädigt oder veraltet. Bitte suchen Sie noch einmal.");
  expect(german.text).not.toContain("validation error");
});
