import type { Request, Response, Router } from "express";
import { anonymous } from "../../shared/kernel/caller.ts";
import { notFound } from "../../shared/kernel/failure.ts";
import { pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import type { Settings } from "../../shared/settings/settings.schema.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { Page } from "../pages/page-frame.ts";
import type { PageParts } from "../pages/record-pages.ts";
import { words } from "../pages/words.ts";
import { listRecords, type RecordList } from "./record-list.ts";
import { resultRows } from "./result-rows.ts";

export type Collection = Settings["collections"][number];

const shownRecords = 20;

/** Collections with their texts. @param base start of addresses. */
export const collectionRows = (collections: readonly Collection[], base: string): Html =>
  html`<ul class="rows results">${collections.map(
    ({ slug, title, text }) =>
      html`<li><h2><a href="${base}/collections/${slug}">${title}</a></h2>${text === "" ? nothing : html`<p class="snippet">${text}</p>`}</li>`,
  )}</ul>`;

function collectionPage({ title, text, query }: Collection, { records, total }: RecordList, base: string): Page {
  const parameters = new URLSearchParams({ q: query }).toString();
  const feed = `${base}/search.atom?${parameters}`;
  return {
    title,
    description: text || title,
    isIndexed: true,
    head: [html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${feed}">`],
    body: html`<div class="narrow"><p class="meta"><a href="${base}/collections">${words.collections.title}</a></p><h1>${title}</h1>${
      text === "" ? nothing : html`<p>${text}</p>`
    }<p class="meta"><a rel="nofollow" href="${base}/search?${parameters}">${words.records(total)}</a><a href="${feed}">${words.search.feed}</a></p>${
      records.length === 0 ? html`<p>${words.collections.empty}</p>` : resultRows(records)
    }</div>`,
  };
}

/** `/collections`: stored queries of the operator, each with its newest records (web 3). */
export function collectionRoutes(parts: PageParts): Router {
  const router = routesAbout("host");
  const { host } = parts;
  const { baseUrl } = host;
  const { collections } = host.settings;

  async function one(req: Request, res: Response): Promise<void> {
    const slug = pathPart(req, "slug");
    const collection = collections.find((each) => each.slug === slug);
    if (!collection) throw notFound();
    const options = { caller: anonymous, size: shownRecords, defaultSort: "newest", isUncounted: true };
    const list = await listRecords(parts, { q: collection.query }, options);
    await answerPage(host, req, res, 200, collectionPage(collection, list, baseUrl));
  }

  const all = (): Page => ({
    title: words.collections.title,
    description: words.collections.description,
    isIndexed: true,
    body: html`<div class="narrow"><h1>${words.collections.title}</h1>${
      collections.length === 0 ? html`<p>${words.collections.none}</p>` : collectionRows(collections, baseUrl)
    }</div>`,
  });

  resource(router, "/collections", {
    GET: { isOpen: true, produces: [], handle: (req, res) => answerPage(host, req, res, 200, all()) },
  });
  resource(router, "/collections/:slug", { GET: { isOpen: true, produces: [], handle: one } });
  return router;
}
