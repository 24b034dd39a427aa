import type { Request, Response, Router } from "express";
import type { Collection } from "../../shared/collections/collection.policy.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";
import type { Settings } from "../../shared/settings/settings.schema.ts";
import { type OpenFiles, openFiles } from "../harvest/open-files.service.ts";
import { sizeInWords } from "../pages/file-rows.ts";
import { type Html, html, jsonInScript, nothing } from "../pages/html.ts";
import { answerPage } from "../pages/page-answer.ts";
import { type Page, searchForm } from "../pages/page-frame.ts";
import type { PageParts } from "../pages/record-pages.ts";
import { countInWords, words } from "../pages/words.ts";
import { collectionRows } from "./collection.routes.ts";
import { listRecords, type RecordList } from "./record-list.ts";
import { resultRows } from "./result-rows.ts";

const shownRecords = 6;
const shownCollections = 6;

function typesOf({ aggregations }: RecordList, base: string): Html {
  const { buckets = [] } = aggregations.resource_type ?? {};
  const rows = buckets.map(
    ({ key, label: name, doc_count }) =>
      html`<li><a href="${base}/search?resource_type=${encodeURIComponent(key)}"><span>${name}</span><span class="size">${countInWords(doc_count)}</span></a></li>`,
  );
  return rows.length === 0
    ? nothing
    : html`<section class="part facets types" aria-labelledby="types"><h2 id="types">${words.search.facets.resource_type}</h2><ul>${rows}</ul></section>`;
}

const collectionsOf = (collections: readonly Collection[], base: string): Html =>
  collections.length === 0
    ? nothing
    : html`<section class="part" aria-labelledby="collections"><h2 id="collections">${words.collections.title}</h2>${collectionRows(collections.slice(0, shownCollections), base)}${
        collections.length > shownCollections
          ? html`<p><a href="${base}/collections">${words.collections.all(collections.length)}</a></p>`
          : nothing
      }</section>`;

/** What search engines for data read of the repository: what it is, and how to search it (web 7). */
const catalogOf = (name: string, base: string) => ({
  "@context": "https://schema.org",
  "@graph": [
    { "@type": "DataCatalog", "@id": `${base}/`, name, url: `${base}/` },
    {
      "@type": "WebSite",
      name,
      url: `${base}/`,
      potentialAction: {
        "@type": "SearchAction",
        target: { "@type": "EntryPoint", urlTemplate: `${base}/search?q={search_term_string}` },
        "query-input": "required name=search_term_string",
      },
    },
  ],
});

/** Records, files and bytes (web 12). What not everyone may download does not count. */
function figuresOf({ total }: RecordList, { files, bytes }: OpenFiles, base: string): Html {
  const { figures, counted } = words.home;
  const rows: [string, Html | string][] = [
    [figures.records, html`<a href="${base}/search">${countInWords(total)}</a>`],
    [figures.files, countInWords(files)],
    [figures.bytes, sizeInWords(bytes, words.language)],
  ];
  return html`<div class="figures"><dl>${rows.map(
    ([name, figure]) => html`<div><dt>${name}</dt><dd>${figure}</dd></div>`,
  )}</dl><p class="meta">${counted}</p></div>`;
}

/** The command that creates the account of an administrator. */
const firstAccount =
  "carrel users create --data DIR --username NAME --email ADDRESS --role superuser-access --password-file FILE";

/** An empty repository: how to begin. @param hasAccounts somebody can sign in. */
const beginning = (base: string, hasAccounts: boolean): Html =>
  hasAccounts
    ? html`<p>${words.home.empty} ${words.home.begin}</p><p><a class="button primary" rel="nofollow" href="${base}/me/uploads">${words.home.draft}</a></p>`
    : html`<p>${words.home.empty} ${words.home.noAccounts}</p><pre class="code">${firstAccount}</pre><p>${words.home.afterAccount}</p>`;

/** What the page shows of the library. */
interface Shown {
  list: RecordList;
  files: OpenFiles;
  collections: readonly Collection[];
  hasAccounts: boolean;
}

const homePage = ({ list, files, collections, hasAccounts }: Shown, base: string, { site }: Settings): Page => ({
  title: words.home.title,
  description: words.home.description(site.name),
  head: [html`<script type="application/ld+json">${jsonInScript(catalogOf(site.name, base))}</script>`],
  isIndexed: true,
  hasOwnSearch: true,
  body: html`<div class="home"><h1>${site.name}</h1><p class="lead">${words.home.description(site.name)}</p>${searchForm(`${base}/`, "")}${
    list.records.length === 0
      ? beginning(base, hasAccounts)
      : html`${figuresOf(list, files, base)}<section class="part" aria-labelledby="newest"><h2 id="newest">${words.home.newest}</h2>${resultRows(list.records)}</section>${typesOf(list, base)}`
  }${collectionsOf(collections, base)}<p>${words.home.machines} <a href="${base}/api/docs">${words.api}</a>.</p></div>`,
});

/** The first page: a search field, what was published last, and the types of records (web 4). */
export function homeRoutes(parts: PageParts): Router {
  const router = routesAbout("host");
  const { host, services } = parts;
  const { baseUrl, settings } = host;
  const countFiles = openFiles(host);

  async function home(req: Request, res: Response): Promise<void> {
    const list = await listRecords(parts, {}, { caller: anonymous, size: shownRecords, languages: words.language });
    res.setHeader("Link", `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`);
    // Ids of users count from 1.
    const hasAccounts = list.total > 0 || (await services.users.find(host.db, "1")) !== undefined;
    const files = await countFiles();
    const collections = await services.collections.list(host.db);
    await answerPage(host, req, res, 200, homePage({ list, files, collections, hasAccounts }, baseUrl, settings));
  }

  resource(router, "/", { GET: { produces: [], handle: home } });
  return router;
}
