import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { inProcess } from "../support/in-process.ts";
import { givenRecord, metadata } from "../support/records.ts";

const secret = "Zanzibarite";
const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

let api: Api;
let alice: HttpClient;
let stranger: HttpClient;
beforeAll(async () => {
  api = await startApi("server", { settings: { site: { name: "Ocean" } } });
  alice = await inProcess(api, "alice");
  stranger = await inProcess(api, undefined);
  for (let n = 1; n <= 23; n++) {
    const title = n === 23 ? 'Whales <b>& "seals"' : `Story ${n}`;
    const description = `<p>${"Sea ".repeat(80)} the blue whale ${n} sings.</p>`;
    const resource_type = { id: n % 2 === 0 ? "dataset" : "image-photo" };
    const of = { ...metadata, title, description, resource_type, publication_date: String(1990 + n) };
    await givenRecord(alice, { metadata: of, files: { enabled: false } });
  }
  const access = { record: "restricted", files: "restricted" };
  const hidden = { ...metadata, title: secret, resource_type: { id: "software" }, publication_date: "1800" };
  await givenRecord(alice, { metadata: hidden, access, files: { enabled: false } });
});

/** The script of the build, which no page needs. */
const comforts = /<script type="module" src="[/]assets[/]enhance-[\w-]+[.]js"><[/]script>/;

const page = async (path: string, client = stranger) => {
  const answer = await client.get(path, asBrowser);
  expect(answer.text.match(/<h1[\s>]/g), path).toHaveLength(1);
  expect(answer.text.replace(comforts, ""), path).not.toMatch(
    /<script(?! type="application\/ld\+json")|style="|undefined|\[object/,
  );
  return answer;
};
const plain = (text: string): string =>
  text
    .replace(/&amp;/g, "&")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<");
const unmarked = (text: string): string => text.replace(/<\/?mark>/g, "");
const linksIn = (text: string): string[] => [...text.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => plain(href));

describe("a page after the last one (issue 17.2)", () => {
  test.each([
    ["/search?page=3", "This list has no page 3.", "/search?page=2"],
    ["/search?q=whale&sort=oldest&page=5", "This list has no page 5.", "/search?q=whale&sort=oldest&page=2"],
    ["/search?q=zebra&page=2", "No record matches.", "/search"],
    ["/search?q=whale&page=51", "No more results here", "/search?q=whale"],
  ])("%s says one thing, “%s”, with a link to %s", async (path, statement, link) => {
    const { text } = await page(path);
    const said = ["has no page", "No record matches", "No more results here", "no records yet"];
    expect(said.filter((words) => text.includes(words)).map((words) => statement.includes(words))).toEqual([true]);
    expect(text).toContain(statement);
    const [, main = ""] = text.split("<main");
    expect(linksIn(main)).toContain(link);
  });
});

describe("the search page, without script (web 3, 4, 12, issue 18)", () => {
  test("shows 20 records a page; every link on the pages leads to a page", async () => {
    const first = await page("/search");
    expect(first.status).toBe(200);
    expect(first.text).toContain("23 records");
    expect(first.text.match(/class="unapi-id"/g)).toHaveLength(20);
    expect(first.text).toMatch(/<section class="found" aria-label="Search results">[\s\S]*<h2 dir="auto"><a href/);
    expect(linksIn(first.text)).toContain("/search?page=2");
    const second = await page("/search?page=2");
    expect(second.text.match(/class="unapi-id"/g)).toHaveLength(3);
    expect(second.text).not.toContain("no page");
    const searches = [...new Set(linksIn(first.text).filter((link) => link.includes("/search?")))];
    expect(searches.length).toBeGreaterThan(20);
    for (const link of searches) expect((await page(link)).status, link).toBe(200);
    // Robots may list the page of all records, and no search.
    expect([first, second].map(({ headers }) => headers.get("x-robots-tag"))).toEqual([null, "noindex"]);
    expect([first, second].map(({ headers }) => headers.get("cache-control"))).toEqual([
      "public, no-cache",
      "public, no-cache",
    ]);
  });

  test("marks the found words, keeps the query in the field, and has a feed of the same search", async () => {
    const { text } = await page("/search?q=whale%20AND%20metadata.title%3Aseals");
    expect(text).toContain("1 record<");
    expect(text).toContain("<mark>Whale</mark>s &lt;b&gt;&amp; &quot;<mark>seals</mark>&quot;");
    expect(text).toContain("the blue <mark>whale</mark> 23 sings.");
    expect(text).toContain('value="whale AND metadata.title:seals"');
    expect(linksIn(text)).toContain(`${api.server.url}/search.atom?q=whale+AND+metadata.title%3Aseals`);
  });

  test("filters are links: a value adds itself, a chip removes it, years are bars; robots do not follow them", async () => {
    const all = await page("/search?q=story");
    const dataset = linksIn(all.text).find((link) => link.includes("resource_type=dataset")) ?? "";
    const filtered = await page(dataset);
    expect(filtered.text).toContain("11 records");
    expect(filtered.text).toContain('aria-label="Remove the filter Dataset"');
    expect(filtered.text).toMatch(/<a rel="nofollow" href="[^"]*" aria-current="true"><span>Dataset<\/span>/);
    expect(linksIn(filtered.text)).toContain("/search?q=story");
    const year = await page("/search?publication_date=1992");
    expect(year.text).toContain("1 record<");
    expect(all.text).toContain('aria-label="1992: 1 record"');
    for (const [, tag = ""] of all.text.matchAll(/<a ([^>]*(?:resource_type|publication_date)=[^>]*)>/g))
      expect(tag).toContain('rel="nofollow"');
  });

  test("nothing found names the ways out; a mistyped value names the field; a far page names the API", async () => {
    const none = await page("/search?q=nothingatall&resource_type=dataset");
    expect([none.status, none.text.includes("No record matches")]).toEqual([200, true]);
    expect(none.text).toContain('aria-label="Remove the filter Dataset"');
    expect(linksIn(none.text)).toEqual(
      expect.arrayContaining(["/search?q=nothingatall", "/search?resource_type=dataset"]),
    );
    const wrong = await page("/search?q=created%3Ablue");
    expect([wrong.status, wrong.text.includes("The value after created:")]).toEqual([400, true]);
    expect(wrong.text).toContain('value="created:blue"');
    expect((await page("/search?sort=colour")).status).toBe(400);
    expect((await page("/search?page=x")).status).toBe(400);
    expect((await page("/search?page=51")).text).toContain("OAI-PMH");
    const hostile = await page(`/search?q=${encodeURIComponent('"><svg onload=x>')}`);
    expect(hostile.text).not.toContain("<svg onload");
  });

  test("empty parameters are absent, a repeated filter is one, a long query is named by its limit (issue 17)", async () => {
    const empty = await page("/search?q=story&sort=&page=&resource_type=");
    expect([empty.status, empty.text.includes("22 records")]).toEqual([200, true]);
    expect(linksIn(empty.text)).toContain("/search?q=story&sort=newest");
    expect((await stranger.get("/search.atom?q=&sort=&page=")).status).toBe(200);
    const twice = await page("/search?resource_type=dataset&resource_type=dataset");
    expect(twice.text.match(/class="chip"/g)).toHaveLength(1);
    expect(linksIn(twice.text)).not.toContain("/search?resource_type=dataset&resource_type=dataset&page=2");
    const titleOf = (text: string) => /<title>([^<]*)/.exec(text)?.[1];
    const words = `${"whale ".repeat(99)}whale`;
    const long = await page(`/search?q=${words}`);
    expect(titleOf(long.text)?.length).toBeLessThan(250);
    expect(long.text).toContain(`value="${words}"`);
    const longest = await page(`/search?q=${"a".repeat(8193)}`);
    expect([longest.status, longest.text]).toEqual([400, expect.stringContaining("at most 8,192 characters")]);
    expect((await page("/search?suggest=whale")).text).toContain("The address of this page is damaged or old.");
  });

  test("near words, file names and the field that was meant are offered where nothing is found (app day: search)", async () => {
    const typed = await page("/search?q=storry");
    expect(typed.text).toMatch(/<a rel="nofollow" href="\/search\?q=storry%7E">\d+ records? with similar words<\/a>/);
    expect((await page("/search?q=storry%7E")).text).toContain("22 records");
    const named = await page("/search?q=title%3Awhale");
    expect(named.text).toContain("Records have no field “title”.");
    expect(named.text).toContain('href="/search?q=metadata.title%3Awhale">Did you mean metadata.title?</a>');
    const nowhere = await page("/search?q=qqqqxxxx");
    expect(nowhere.text).not.toContain("with similar words");
    expect(linksIn(nowhere.text)).toContain("/help/search");
    // What a stranger may not read is not counted either.
    expect((await page("/search?q=Zanzibor")).text).not.toContain("similar words");
  });

  test("restricted records appear and count only for who may read them", async () => {
    for (const path of ["/search?sort=oldest", "/search?q=Zanz*", "/"]) {
      const { text } = await page(path);
      expect(unmarked(text), path).not.toContain(secret);
      expect(text, path).not.toMatch(/Software|1800/);
    }
    const own = await page("/search?q=Zanz*", alice);
    expect(unmarked(own.text)).toContain(secret);
    expect(own.headers.get("cache-control")).toBe("private, no-store");
  });
});

test("the first page has a search field, the newest six and the types with counts (web 4, 12, issue 18)", async () => {
  const { text } = await page("/");
  expect(text.match(/<form class="ask" role="search"/g)).toHaveLength(1);
  expect(text.match(/class="unapi-id"/g)).toHaveLength(6);
  expect(text).toContain('<span>Dataset</span><span class="size">11</span>');
  expect(text).toMatch(/<meta name="description" content="[^"]{50,160}">/);
  const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
  expect(JSON.parse(data)["@graph"]).toMatchObject([
    { "@type": "DataCatalog", "@id": `${api.server.url}/` },
    { "@type": "WebSite", potentialAction: { "@type": "SearchAction" } },
  ]);
  for (const link of linksIn(text).filter((one) => one.includes("/search?")))
    expect((await page(link)).status, link).toBe(200);
});
