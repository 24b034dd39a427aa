import type { Request, RequestHandler } from "express";
import type { Host } from "../../shared/kernel/host.ts";
import type { Language } from "../../shared/kernel/languages.schema.ts";
import { inLanguage } from "../../shared/kernel/spoken-language.ts";
import { siteLanguages } from "../../shared/settings/settings.schema.ts";

/** The language of a page: `?lang=`, then what the browser prefers, then the first of the site. */
export function pageLanguage({ settings }: Pick<Host, "settings">, req: Request): Language {
  const offered = siteLanguages(settings);
  const asked = offered.find((language) => language === req.query.lang);
  const preferred = asked ?? req.acceptsLanguages(...offered);
  return offered.find((language) => language === preferred) ?? offered[0] ?? "en";
}

const isApi = /^\/api(\/|$)/;

/** Gives the words of all pages the language of the call. */
export const speakLanguage =
  (host: Pick<Host, "settings">): RequestHandler =>
  (req, _res, next) =>
    isApi.test(req.path) ? next() : inLanguage(pageLanguage(host, req), () => next());
