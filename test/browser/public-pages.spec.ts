import { gzipSync } from "node:zlib";
import { type Browser, expect, test } from "@playwright/test";
import { addFile, fixtureBytes } from "../support/files.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";
import { violationsOf } from "./axe.ts";
import { Desk } from "./desk.ts";

// The public pages with JavaScript off: everything that a stranger does works without it.

const kibibyte = 1024;
let desk: Desk;
let id: string;

test.beforeAll(async () => {
  desk = await Desk.open({
    collections: [{ slug: "sea", title: "Of the sea", query: "metadata.title:core*", text: "Cores" }],
  });
  const { server } = await desk.person("grace", "Grace Hopper");
  const creators = Array.from({ length: 12 }, (_one, at) => ({
    person_or_org: { type: "personal", family_name: `Author${at}`, given_name: "Ann" },
    affiliations: [{ name: `Institute ${at % 3}` }],
  }));
  const rights = [{ id: "cc-by-4.0" }];
  const related_identifiers = [
    { identifier: "https://example.org/cruise", scheme: "url", relation_type: { id: "cites" } },
  ];
  const description = `<p>${"Grain sizes of twelve gravity cores. ".repeat(20)}</p>`;
  id = await givenDraft(server, {
    metadata: { ...metadata, title: "Cores of the Fram Strait", creators, description, rights, related_identifiers },
  });
  const files: Record<string, string | Uint8Array> = {
    "README.md": `# Aim\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n${"Read this first. ".repeat(16)}`,
    "data/depths.csv": `station;depth\n${Array.from({ length: 120 }, (_one, at) => `S${at};${at}`).join("\n")}`,
    "scripts/plot.py": "print(1)",
    "info-zip.zip": await fixtureBytes("info-zip.zip"),
  };
  for (let at = 0; at < 16; at++) files[`logs/run-${at}.log`] = `run ${at}`;
  for (const [key, bytes] of Object.entries(files)) await addFile(server, id, key, bytes);
  await publish(server, id);
});

test.afterAll(() => desk.close());

const paths = (): string[] => [
  ...["/", "/search", "/search?q=nowhere", "/collections/sea", "/about", "/help/search", "/records/aaaaa-bbb11"],
  ...["", "/files/", "/people", "/versions", "/export"].map((rest) => `/records/${id}${rest}`),
  ...["README.md", "data/depths.csv", "scripts/plot.py", "info-zip.zip"].map((key) => `/records/${id}/files/${key}`),
];

const open = (browser: Browser, width: number, colorScheme: "light" | "dark" = "light") =>
  browser.newPage({
    viewport: { width, height: 900 },
    colorScheme,
    baseURL: desk.server.url,
    javaScriptEnabled: false,
  });

// Axe runs in the page, so it needs a window with JavaScript; the policy keeps out every script of the page itself.
test("axe finds nothing on any page, in light and dark, and nothing sticks out at four widths (web 11, 13)", async ({
  browser,
}) => {
  for (const colorScheme of ["light", "dark"] as const) {
    // In German, too, whose words are longer.
    const locale = colorScheme === "light" ? "en" : "de";
    const context = await browser.newContext({ colorScheme, locale, baseURL: desk.server.url, bypassCSP: true });
    const page = await context.newPage();
    for (const path of paths()) {
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("lang", locale);
      for (const width of [1440, 900, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        const isWider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        expect(isWider, `${path} at ${width}`).toBe(false);
      }
      const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
      const violations = await violationsOf(page, { theme: colorScheme, tags });
      expect(violations.map((one) => `${path} ${one.id}: ${one.nodes[0]?.html}`)).toEqual([]);
    }
    await context.close();
  }
});

test("without JavaScript a stranger searches, opens a record, its folders, a file and an archive (web 13)", async ({
  browser,
}) => {
  const page = await open(browser, 1440);
  await page.goto("/");
  await page.getByRole("searchbox", { name: "Search records" }).fill("fram strait");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Cores of the Fram Strait" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Cores of the Fram Strait");
  await page.getByText("data/", { exact: true }).click();
  await page.getByRole("link", { name: "depths.csv", exact: true }).click();
  await expect(page.getByRole("columnheader", { name: "station" })).toBeVisible();
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await page.getByRole("link", { name: "info-zip.zip", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Files in this archive" })).toBeVisible();
  await page.close();
});

test("names in lists stay on one line at 390 px (web 11, issue 18)", async ({ browser }) => {
  const page = await open(browser, 390);
  for (const path of ["/export?lang=de", "/files/info-zip.zip?lang=de"]) {
    await page.goto(`/records/${id}${path}`);
    for (const name of await page.locator(".files li > :first-child").all()) {
      const { height = 0 } = (await name.boundingBox()) ?? {};
      expect(height, `${path} ${await name.textContent()}`).toBeLessThan(40);
    }
  }
  await page.close();
});

test("at 390 px a file stands in one line with its size and download, in German too (web 2, issue 18)", async ({
  browser,
}) => {
  const page = await open(browser, 390);
  await page.goto(`/records/${id}/files/?lang=de`);
  const row = page.getByRole("listitem").filter({ hasText: "README.md" });
  const [name, download] = [row.getByRole("link").first(), row.getByRole("link", { name: /^Herunterladen/ })];
  expect((await download.boundingBox())?.y).toBe((await name.boundingBox())?.y);
  await page.close();
});

test("on paper the navigation is gone and the citation stays (web 11)", async ({ browser }) => {
  const page = await open(browser, 900);
  await page.emulateMedia({ media: "print" });
  await page.goto(`/records/${id}`);
  await expect(page.getByRole("heading", { name: "Citation" })).toBeVisible();
  for (const name of ["Search", "Filter"]) await expect(page.getByRole("button", { name })).toBeHidden();
  await expect(page.getByRole("link", { name: "Sign in" })).toBeHidden();
  await page.close();
});

test("on paper the citation stands first, addresses are written out, and other views are not offered (web 11, 12, Print; issue 18)", async ({
  browser,
}) => {
  const page = await open(browser, 794);
  await page.emulateMedia({ media: "print" });
  await page.goto(`/records/${id}`);
  const topOf = async (name: string) => (await page.getByRole("heading", { name }).boundingBox())?.y ?? Number.NaN;
  expect(await topOf("Citation")).toBeLessThan(await topOf("Cores of the Fram Strait"));
  const after = (selector: string) =>
    page.locator(selector).evaluate((link) => getComputedStyle(link, "::after").content);
  expect(await after('a[href^="https://creativecommons.org"]')).toContain("(https://creativecommons.org");
  expect(await after('a[href="https://example.org/cruise"]')).toBe("none");
  await expect(page.getByRole("link", { name: /^Download/ }).first()).toBeHidden();
  const isShown = await page.getByText("depths.csv", { exact: true }).evaluate((link) => link.checkVisibility());
  expect(isShown, "a file in a closed folder").toBe(true);
  const hasMargin =
    "[...document.styleSheets].some((sheet) => [...sheet.cssRules].some((one) => one instanceof CSSPageRule))";
  expect(await page.evaluate(hasMargin)).toBe(true);
  await page.goto("/search");
  await expect(page.getByRole("link", { name: "Cores of the Fram Strait" })).toBeVisible();
  for (const name of ["Oldest", "Atom feed"]) await expect(page.getByRole("link", { name })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Resource types" })).toBeHidden();
  await page.close();
});

test("what a record says is written from right to left where its script is (web 11, issue 18)", async ({ browser }) => {
  const { server } = await desk.person("mona", "Mona");
  const title = "رواسب مضيق فرام";
  const description = "<p>وصف البيانات.</p>";
  const arabic = await givenDraft(server, { metadata: { ...metadata, title, description }, files: { enabled: false } });
  await publish(server, arabic);
  const page = await open(browser, 900);
  const directionOf = (text: string) =>
    page
      .getByText(text, { exact: true })
      .first()
      .evaluate((one) => getComputedStyle(one).direction);
  await page.goto(`/records/${arabic}`);
  for (const text of [title, "وصف البيانات."]) expect(await directionOf(text), text).toBe("rtl");
  await page.goto(`/search?q=${encodeURIComponent("فرام")}`);
  expect(await page.locator(".results h2").evaluate((one) => getComputedStyle(one).direction)).toBe("rtl");
  await page.close();
});

test("a page of 12 people and 20 files has at most 30 KiB, 8 KiB packed, and does not move (web 13)", async ({
  browser,
}) => {
  const text = await (await fetch(`${desk.server.url}/records/${id}`, { headers: { accept: "text/html" } })).text();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30 * kibibyte);
  expect(gzipSync(text).length).toBeLessThanOrEqual(8 * kibibyte);
  const context = await browser.newContext({ baseURL: desk.server.url });
  const page = await context.newPage();
  await page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });`);
  await page.goto(`/records/${id}`);
  expect(await page.evaluate("window.shift")).toBeLessThanOrEqual(0.01);
  await context.close();
});
