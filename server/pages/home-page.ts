import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Router } from "express";
import { answerText } from "../../shared/kernel/answer.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";
import type { PresentedRecord } from "../../shared/representations/presented-record.ts";
import { uiOf } from "../../shared/representations/ui.ts";
import { recordSearchRules } from "../../shared/search/record-search.service.ts";
import { readSearch } from "../../shared/search/search-parameters.ts";
import { type Html, html } from "./html.ts";
import { answerPage } from "./page-answer.ts";
import type { Page } from "./page-frame.ts";
import type { PageParts } from "./record-pages.ts";
import type { Ui } from "./record-parts.ts";
import { words } from "./words.ts";

const shownRecords = 6;
/** In a bundle the icon is beside the program. */
const iconFile = import.meta.url.endsWith(".ts") ? "../../renderer/mark.svg" : "mark.svg";
const icon = readFileSync(join(import.meta.dirname, iconFile), "utf8");

function rowOf(record: PresentedRecord): Html {
  const ui = uiOf(record, "en") as unknown as Ui;
  const people = (ui.creators?.creators ?? []).map(({ person_or_org }) => person_or_org.name);
  const creators = people.length > 3 ? `${people.slice(0, 3).join("; ")}; …` : people.join("; ");
  return html`<li><p class="meta"><span>${ui.resource_type?.title_l10n ?? ""}</span><span>${
    ui.publication_date_l10n_long ?? ""
  }</span></p><a href="${record.links?.self_html ?? ""}">${record.metadata.title ?? words.untitled}</a><p class="meta">${creators}</p></li>`;
}

const homePage = (records: readonly PresentedRecord[], api: string): Page => ({
  title: words.home.title,
  isIndexed: true,
  body: html`<div class="narrow"><h1>${words.home.title}</h1>${
    records.length === 0
      ? html`<p>${words.home.empty}</p>`
      : html`<h2>${words.home.newest}</h2><ul class="rows">${records.map(rowOf)}</ul>`
  }<p>${words.home.machines} <a href="${api}">${words.api}</a>.</p></div>`,
});

/** The first page: what was published last (design, web 4). */
export function homeRoutes({ host, services }: PageParts): Router {
  const router = routesAbout("host");
  const { db, baseUrl } = host;

  async function newest(): Promise<PresentedRecord[]> {
    const request = readSearch({ sort: "newest", size: String(shownRecords) }, recordSearchRules);
    const { page } = await services.recordSearch.search(db, { caller: anonymous, request, scope: "published" });
    const records: PresentedRecord[] = [];
    for await (const row of services.recordSearch.rows(db, page))
      records.push((await services.bodies.ofHit(db, anonymous, row)) as unknown as PresentedRecord);
    return records;
  }

  resource(router, "/", {
    GET: {
      isOpen: true,
      produces: [],
      async handle(req, res) {
        res.setHeader("Link", `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`);
        await answerPage(host, req, res, 200, homePage(await newest(), `${baseUrl}/api/docs`));
      },
    },
  });
  resource(router, "/icon.svg", {
    GET: {
      isOpen: true,
      produces: [],
      handle: (req, res) => answerText(req, res, 200, "image/svg+xml", icon),
    },
  });
  return router;
}
