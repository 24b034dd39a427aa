import type { Request, Response, Router } from "express";
import { type Collection, mayEditCollection } from "../../shared/collections/collection.policy.ts";
import { catalogueOf, readQuery } from "../../shared/collections/collection-query.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { callerOf, pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { type Html, html, nothing } from "../pages/html.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { Page } from "../pages/page-frame.ts";
import type { PageParts } from "../pages/record-pages.ts";
import { words } from "../pages/words.ts";
import { listRecords, type RecordList } from "./record-list.ts";
import { resultRows } from "./result-rows.ts";

const shownRecords = 20;
const shownCharacters = 300;

/** The start of a text, cut after a word. */
const shortened = (text: string): string =>
  text.length <= shownCharacters
    ? text
    : `${text
        .slice(0, shownCharacters)
        .toWellFormed()
        .replace(/\s+\S*$/u, "")} …`;

/** Collections with the start of their texts. @param base start of addresses. */
export const collectionRows = (collections: readonly Collection[], base: string): Html =>
  html`<ul class="rows results">${collections.map(
    ({ slug, title, text }) =>
      html`<li><h2><a href="${base}/collections/${slug}">${title}</a></h2>${text === "" ? nothing : html`<p class="snippet">${shortened(text)}</p>`}</li>`,
  )}</ul>`;

/** The link that leads a member of the group to the app. */
const editLink = (slug: string, base: string): Html =>
  html`<a class="button" rel="nofollow" href="${base}/me/collections?edit=${slug}">${words.collections.edit}</a>`;

interface Shown extends Pick<RecordList, "records" | "total"> {
  /** Whether the caller edits the collection. */
  mayEdit: boolean;
}

function collectionPage({ slug, title, text, query }: Collection, shown: Shown, base: string): Page {
  const { records, total, mayEdit } = shown;
  const parameters = new URLSearchParams({ q: query }).toString();
  const feed = `${base}/search.atom?${parameters}`;
  return {
    title,
    description: text || title,
    isIndexed: true,
    head: [html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${feed}">`],
    body: html`<div class="narrow"><p class="meta"><a href="${base}/collections">${words.collections.title}</a></p><h1>${title}</h1>${
      text === "" ? nothing : html`<p>${text}</p>`
    }<p class="meta"><a rel="nofollow" href="${base}/search?${parameters}">${words.records(total)}</a><a href="${feed}">${words.search.feed}</a>${
      mayEdit ? editLink(slug, base) : nothing
    }</p>${records.length === 0 ? html`<p>${words.collections.empty}</p>` : resultRows(records)}</div>`,
  };
}

/** `/collections`: stored queries of the operator and of groups, each with its newest records (web 3). */
export function collectionRoutes(parts: PageParts): Router {
  const router = routesAbout("host");
  const { host, services } = parts;
  const { db, baseUrl } = host;

  /** Without records if the query cannot be searched any more: its editors see the page and mend it. */
  async function recordsOf({ query }: Collection): Promise<Pick<RecordList, "records" | "total">> {
    if ("problem" in readQuery(query, catalogueOf(host.settings), host.now())) return { records: [], total: 0 };
    const options = { caller: anonymous, size: shownRecords, defaultSort: "newest", isUncounted: true };
    return listRecords(parts, { q: query }, options);
  }

  async function one(req: Request, res: Response): Promise<void> {
    const collection = await services.collections.require(db, pathPart(req, "slug"));
    const list = await recordsOf(collection);
    const mayEdit = mayEditCollection(callerOf(req), collection);
    await answerPage(host, req, res, 200, collectionPage(collection, { ...list, mayEdit }, baseUrl));
  }

  async function all(req: Request, res: Response): Promise<void> {
    const collections = await services.collections.list(db);
    await answerPage(host, req, res, 200, {
      title: words.collections.title,
      description: words.collections.description,
      isIndexed: true,
      body: html`<div class="narrow"><h1>${words.collections.title}</h1>${
        collections.length === 0 ? html`<p>${words.collections.none}</p>` : collectionRows(collections, baseUrl)
      }</div>`,
    });
  }

  resource(router, "/collections", { GET: { produces: [], handle: all } });
  resource(router, "/collections/:slug", { GET: { produces: [], handle: one } });
  return router;
}
