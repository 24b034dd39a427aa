import { listCollections } from "../../shared/collections/collection-list.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { yieldToEventLoop } from "../../shared/kernel/time-slice.ts";
import { element, parent, type XmlText, xmlFile } from "../../shared/representations/xml.ts";
import { sitePageNames } from "../site/default-pages.ts";
import { findChanges, findSitemapPart, listListed, type SitemapPart } from "./harvest-item.repository.ts";
import { oaiTime } from "./oai-arguments.ts";

const namespace = { xmlns: "http://www.sitemaps.org/schemas/sitemap/0.9" };
const recordsATime = 10_000;

const file = (root: XmlText | undefined): string => xmlFile(root ?? { xml: "" });

export interface SitemapService {
  /** The index of all files. */
  index(): Promise<string>;
  /** The file of records from an id on; undefined without any. */
  records(first: string): Promise<string | undefined>;
  /** The file of pages that show no record. */
  pages(): Promise<string>;
}

/** Writes the sitemap of the latest public versions (web 8). @param size records of a file. */
export function sitemapService(
  { db, baseUrl, settings }: Pick<Host, "db" | "baseUrl" | "settings">,
  size = recordsATime,
): SitemapService {
  let known: { change: number; parts: SitemapPart[] } | undefined;

  async function readParts(): Promise<SitemapPart[]> {
    const parts: SitemapPart[] = [];
    for (;;) {
      const part = await findSitemapPart(db, parts.at(-1)?.last ?? "", size);
      if (part) parts.push(part);
      if (!part || part.count < size) return parts;
      await yieldToEventLoop();
    }
  }

  /** The files change only with an item. */
  async function partsNow(): Promise<SitemapPart[]> {
    const change = (await findChanges(db))?.last ?? 0;
    if (known?.change !== change) known = { change, parts: await readParts() };
    return known.parts;
  }

  return {
    async index() {
      const records = (await partsNow()).map(({ first, changed }) =>
        parent("sitemap", [
          element("loc", `${baseUrl}/sitemaps/records-${first}.xml`),
          element("lastmod", oaiTime(changed)),
        ]),
      );
      const pages = parent("sitemap", [element("loc", `${baseUrl}/sitemaps/pages.xml`)]);
      return file(parent("sitemapindex", [pages, ...records], namespace));
    },
    async records(first) {
      const items = await listListed(db, first, size);
      if (items.length === 0) return undefined;
      const urls = items.map(({ record_id, changed }) =>
        parent("url", [element("loc", `${baseUrl}/records/${record_id}`), element("lastmod", oaiTime(changed))]),
      );
      return file(parent("urlset", urls, namespace));
    },
    async pages() {
      const collections = await listCollections(db, settings);
      const lists = collections.length > 0 ? ["collections"] : [];
      const paths = ["", ...sitePageNames, ...lists, ...collections.map(({ slug }) => `collections/${slug}`)];
      return file(
        parent(
          "urlset",
          paths.map((path) => parent("url", [element("loc", `${baseUrl}/${path}`)])),
          namespace,
        ),
      );
    },
  };
}
