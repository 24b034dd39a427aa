import type { Request, Response, Router } from "express";
import { answer } from "../kernel/answer.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { vendorType } from "../kernel/negotiation.ts";
import { pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { localeOf } from "../representations/answer-record.ts";
import { textIn } from "../representations/presented-record.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch } from "../search/search-parameters.ts";
import { presentEntry, vocabularyPath } from "./vocabulary.presenter.ts";
import {
  genericVocabularyTypes,
  namedVocabularyTypes,
  type VocabularyEntry,
  type VocabularyType,
} from "./vocabulary.schema.ts";
import { type StoredEntry, type VocabularyService, vocabularySearchRules } from "./vocabulary.service.ts";

/** Title and description in the reader's language, for clients of the vendor type (interoperability 2). */
const localisedTexts = ({ id, title, description }: VocabularyEntry, locale: string) => ({
  ...(title ? { title_l10n: textIn(title, locale) ?? id } : {}),
  ...(description ? { description_l10n: textIn(description, locale) } : {}),
});

/** Reads vocabularies: open to everybody; there are no write routes (records 8.5). */
export function vocabularyRoutes({ host, vocabularies }: { host: Host; vocabularies: VocabularyService }): Router {
  const router = routesAbout("library");

  function present(req: Request, res: Response, type: VocabularyType, stored: StoredEntry) {
    const body = presentEntry(type, stored, host.baseUrl);
    res.vary("Accept, Accept-Language");
    if (res.locals.produces !== vendorType) return body;
    return { ...body, ...localisedTexts(stored.entry, localeOf(req.headers["accept-language"])) };
  }

  const offer = (path: string, typeOf: (req: Request) => VocabularyType) => {
    resource(router, path, {
      isSearch: true,
      GET: async (req, res) => {
        const type = typeOf(req);
        const rules = vocabularySearchRules(type);
        const request = readSearch(req.query, rules);
        const { hits, total } = await vocabularies.search(host.db, type, request);
        const url = `${host.baseUrl}${vocabularyPath(type)}`;
        const presented = hits.map((stored) => present(req, res, type, stored));
        const list = { request, rules, url, hits: presented, total, showsPage: true };
        await answer(req, res, 200, searchAnswer(list));
      },
    });
    resource(router, `${path}/:id`, {
      GET: async (req, res) => {
        const type = typeOf(req);
        const stored = await vocabularies.require(host.db, type, pathPart(req, "id"));
        const etag = etagOf(stored.revision_id);
        await answer(req, res, 200, present(req, res, type, stored), { etag });
      },
    });
  };

  offer("/vocabularies/:type", (req) => {
    const type = genericVocabularyTypes.find((known) => known === pathPart(req, "type"));
    if (type === undefined) throw notFound();
    return type;
  });
  for (const type of namedVocabularyTypes) offer(`/${type}`, () => type);
  return router;
}
