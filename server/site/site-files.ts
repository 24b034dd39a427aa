import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../shared/kernel/failure.ts";
import { type Language, spokenLanguages } from "../../shared/kernel/languages.schema.ts";
import { type Settings, siteLanguages } from "../../shared/settings/settings.schema.ts";
import { defaultPages, type SitePageName, sitePageNames } from "./default-pages.ts";

/** In a bundle the icons are beside the program. */
const iconFolder = import.meta.url.endsWith(".ts") ? "../../renderer" : ".";
const iconFile = (name: string): string => join(import.meta.dirname, iconFolder, name);

/** The operator's files for the site, read once at the start. */
export interface SiteFiles {
  /** The mark as SVG. */
  icon: string;
  /** The mark as PNG, for home screens; undefined for a mark of the operator's own. */
  touchIcon: Buffer | undefined;
  /** Markdown by name and language; every name has one in English. */
  pages: Map<SitePageName, Map<string, string>>;
}

function readMark(file: string | undefined): string {
  if (file === undefined) return readFileSync(iconFile("mark.svg"), "utf8");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new Failure("unavailable", `The setting 'site.mark' names ${file}, which cannot be read.`);
  }
  if (!/<svg[\s>]/.test(text))
    throw new Failure("unavailable", `The setting 'site.mark' names ${file}, which is no SVG.`);
  return text;
}

function readPage(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, `${name.replace("/", "-")}.md`), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new Failure("unavailable", `The setting 'site.pages' names ${folder}, whose ${name}.md cannot be read.`);
  }
}

/** @throws Failure if the folder of pages cannot be read, or has a page that would never be shown. */
function assertPages(folder: string): void {
  const refuse = (reason: string) => new Failure("unavailable", `The setting 'site.pages' names ${folder}, ${reason}.`);
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch {
    throw refuse("which is no folder that can be read");
  }
  const pages = sitePageNames.map((page) => page.replace("/", "-"));
  const known = pages.flatMap((page) => [`${page}.md`, ...spokenLanguages.map((language) => `${page}.${language}.md`)]);
  const unknown = files.find((file) => /[.]md$/i.test(file) && !/^readme[.]/i.test(file) && !known.includes(file));
  if (unknown !== undefined) throw refuse(`whose ${unknown} is no page of the site. There are ${known.join(", ")}`);
}

/**
 * Reads the mark, and `about.md`, `about.de.md`, `help-search.md` and so on.
 * @throws Failure `unavailable` if one cannot be read.
 */
export function readSiteFiles(settings: Settings): SiteFiles {
  const { name, contact, mark, pages: folder } = settings.site;
  const languages = siteLanguages(settings);
  if (folder !== undefined) assertPages(folder);
  const readOwn = (file: string) => (folder === undefined ? undefined : readPage(folder, file));
  const defaultText = (language: Language, page: SitePageName) => defaultPages(language, name, contact)[page];
  const pages = new Map<SitePageName, Map<string, string>>();
  for (const page of sitePageNames) {
    const texts = new Map<string, string>();
    for (const language of languages) {
      const text = readOwn(`${page}.${language}`);
      if (text !== undefined) texts.set(language, text);
    }
    const own = readOwn(page);
    // A page without a language in its name is in the site's first language.
    const [first] = languages;
    if (own !== undefined && first !== undefined && !texts.has(first)) texts.set(first, own);
    const isDefault = own === undefined && texts.size === 0;
    if (isDefault) for (const language of languages) texts.set(language, defaultText(language, page));
    texts.set("", own ?? defaultText("en", page));
    pages.set(page, texts);
  }
  const touchIcon = mark === undefined ? readFileSync(iconFile("touch-icon.png")) : undefined;
  return { icon: readMark(mark), touchIcon, pages };
}
