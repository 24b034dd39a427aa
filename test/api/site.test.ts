import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { defaultPages } from "../../server/site/default-pages.ts";
import { readSiteFiles } from "../../server/site/site-files.ts";
import { spokenLanguages } from "../../shared/kernel/languages.schema.ts";
import { unknownField } from "../../shared/search/language/near-queries.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { startApi } from "../support/api.ts";

const asBrowser = { headers: { accept: "text/html" } };

describe("the operator's site (web 3, 12, 17)", () => {
  test("the queries that “How to search” shows name fields that records have (app day: help)", () => {
    for (const language of spokenLanguages) {
      const text = defaultPages(language, "Carrel", undefined)["help/search"];
      const queries = [...text.matchAll(/^\| `(.+?)` \|/gm)].map(([, query = ""]) => query);
      expect(queries.length, language).toBeGreaterThan(8);
      for (const query of queries) expect(unknownField(query), query).toBeUndefined();
    }
  });

  test("the policies name each cookie that a visitor can get (issue 18)", () => {
    const { policies: english } = defaultPages("en", "Carrel", undefined);
    for (const kind of ["language", "link to a restricted record", "session", "browser"])
      expect(english).toContain(kind);
    const { policies: german } = defaultPages("de", "Carrel", undefined);
    for (const kind of ["Sprache", "Link zu einem", "Sitzung", "Browser"]) expect(german).toContain(kind);
  });

  test("every page of the site answers with our text, the footer leads to it, and nothing links nowhere", async () => {
    const api = await startApi("server", { settings: { site: settingsSchema.parse({}).site } });
    const home = await api.anonymous.get("/", asBrowser);
    for (const path of ["/about", "/policies", "/accessibility", "/contact", "/help/search"]) {
      expect(home.text, path).toContain(`href="${path}"`);
      const answer = await api.anonymous.get(path, asBrowser);
      expect(answer.status, path).toBe(200);
      expect(answer.text.match(/<h1>/g), path).toHaveLength(1);
      expect(answer.text, path).not.toContain("<h3>");
    }
    const german = await api.anonymous.get("/about?lang=de", asBrowser);
    expect(german.text).toContain('<div class="narrow" lang="de"><h1>Über Carrel</h1>');
    expect(german.text).toMatch(/<main.*<a href="\/api\/docs">API<\/a>.*<\/main>/s);
    // Nothing is published, and nobody could sign in.
    expect(home.text).toContain("carrel users create --data DIR");
    expect((await api.anonymous.get("/sign-in", asBrowser)).text).toContain('<a href="/contact">Write to us</a>');
    const lost = await api.anonymous.get("/records/aaaaa-aaa00", asBrowser);
    expect([lost.status, lost.text.includes('href="/search">Search all records</a>')]).toEqual([404, true]);
    expect((await api.anonymous.get("/.well-known/security.txt")).status).toBe(404);
    expect((await api.anonymous.get("/favicon.ico")).headers.get("location")).toMatch(/\/icon\.svg$/);
    const touchIcon = await api.anonymous.get("/apple-touch-icon.png");
    expect([touchIcon.headers.get("content-type"), touchIcon.bytes.length > 1000]).toEqual(["image/png", true]);
    const manifest = (await api.anonymous.get("/site.webmanifest")).body;
    expect([manifest.name, manifest.icons.length]).toEqual(["Carrel", 2]);
  });

  test("name, contact, mark, accent and pages are the operator's", async () => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-site-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "about.md"), "# Who we are\n\nA *ship* and <b>crew</b>.\n\n## Where\n\nAt sea.\n");
    await writeFile(join(folder, "mark.svg"), '<svg xmlns="http://www.w3.org/2000/svg"><title>Ship</title></svg>');
    const { site } = settingsSchema.parse({
      site: {
        name: "Ocean Data Library",
        contact: "desk@example.org",
        mark: join(folder, "mark.svg"),
        accent: { light: "#7a1f1f", dark: "#ffb3a7" },
        pages: folder,
      },
    });
    const api = await startApi("server", { settings: { site } });
    const about = await api.anonymous.get("/about", asBrowser);
    for (const words of [
      "<h1>Who we are</h1>",
      "<em>ship</em>",
      "&lt;b&gt;crew",
      "<h2>Where</h2>",
      "Ocean Data Library",
    ])
      expect(about.text).toContain(words);
    expect(about.text).toContain("--accent:light-dark(#7a1f1f,#ffb3a7)");
    expect((await api.anonymous.get("/contact", asBrowser)).text).toContain('href="mailto:desk@example.org"');
    expect((await api.anonymous.get("/icon.svg")).text).toContain("<title>Ship</title>");
    const touchIcon = await api.anonymous.get("/apple-touch-icon.png");
    expect(touchIcon.headers.get("location")).toMatch(/\/icon\.svg$/);
    const security = await api.anonymous.get("/.well-known/security.txt");
    expect(security.text).toMatch(/^Contact: mailto:desk@example\.org\nExpires: \d{4}-\d\d-\d\dT/);
  });

  test("an accent that is hard to read, and a mark that is missing, end the start in words", async () => {
    const site = { accent: { light: "#ffee00", dark: "#ffb3a7" } };
    const { error } = settingsSchema.safeParse({ site });
    expect(error?.issues[0]?.path).toEqual(["site", "accent", "light"]);
    expect(error?.issues[0]?.message).toMatch(/contrast of 1\.\d with the page; it must be at least 4\.5/);
    const missing = settingsSchema.parse({ site: { mark: "/nowhere/mark.svg" } });
    await expect(startApi("server", { settings: { site: missing.site } })).rejects.toThrow(
      "The setting 'site.mark' names /nowhere/mark.svg, which cannot be read.",
    );
  });

  test("a folder of pages that is missing, or has a page that would never be shown, ends the start in words", async () => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-site-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const start = (pages: string) => () => readSiteFiles(settingsSchema.parse({ site: { pages } }));
    for (const name of ["README.md", "about.de.md", "help-search.md", "picture.svg"])
      await writeFile(join(folder, name), "# Text\n");
    expect(start(folder)).not.toThrow();
    await writeFile(join(folder, "imprint.md"), "# Imprint\n");
    expect(start(folder)).toThrow(
      / names .*, whose imprint\.md is no page of the site\. There are about\.md, about\.en\.md/,
    );
    expect(start(join(folder, "nowhere"))).toThrow(
      /^The setting 'site\.pages' names .*, which is no folder that can be read\.$/,
    );
  });
});
