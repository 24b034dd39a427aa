import type { Request, Router } from "express";
import { answer } from "../kernel/answer.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch } from "../search/search-parameters.ts";
import { presentEntry, vocabularyPath } from "./vocabulary.presenter.ts";
import { genericVocabularyTypes, namedVocabularyTypes, type VocabularyType } from "./vocabulary.schema.ts";
import { type VocabularyService, vocabularySearchRules } from "./vocabulary.service.ts";

/** Reads vocabularies: open to everybody; there are no write routes (records 8.5). */
export function vocabularyRoutes({ host, vocabularies }: { host: Host; vocabularies: VocabularyService }): Router {
  const router = routesAbout("library");

  const offer = (path: string, typeOf: (req: Request) => VocabularyType) => {
    resource(router, path, {
      isSearch: true,
      GET: async (req, res) => {
        const type = typeOf(req);
        const request = readSearch(req.query, vocabularySearchRules);
        const { hits, total } = await vocabularies.search(host.db, type, request);
        const url = `${host.baseUrl}${vocabularyPath(type)}`;
        const presented = hits.map((stored) => presentEntry(type, stored, host.baseUrl));
        const list = { request, rules: vocabularySearchRules, url, hits: presented, total, showsPage: true };
        await answer(req, res, 200, searchAnswer(list));
      },
    });
    resource(router, `${path}/:id`, {
      GET: async (req, res) => {
        const type = typeOf(req);
        const stored = await vocabularies.require(host.db, type, pathPart(req, "id"));
        const etag = etagOf(stored.revision_id);
        await answer(req, res, 200, presentEntry(type, stored, host.baseUrl), { etag });
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
