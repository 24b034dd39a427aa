import type { Request, RequestHandler } from "express";
import type { Host } from "../../shared/kernel/host.ts";
import type { Language } from "../../shared/kernel/languages.schema.ts";
import { inLanguage } from "../../shared/kernel/spoken-language.ts";
import { type Settings, siteLanguages } from "../../shared/settings/settings.schema.ts";

/** Browsers of one kind send one text. More than these are read anew. */
const maxTexts = 200;
const preferences = new WeakMap<Settings, Map<string, Language | undefined>>();

/** What the browser prefers of the languages on offer. */
function preferred(settings: Settings, req: Request): Language | undefined {
  const known = preferences.get(settings) ?? new Map<string, Language | undefined>();
  preferences.set(settings, known);
  const text = req.headers["accept-language"] ?? "";
  if (known.has(text)) return known.get(text);
  const offered = siteLanguages(settings);
  const chosen = req.acceptsLanguages(...offered);
  const language = offered.find((one) => one === chosen);
  if (known.size < maxTexts && text.length < 200) known.set(text, language);
  return language;
}

/** The language of a page: `?lang=`, then what the browser prefers, then the first of the site. */
export function pageLanguage({ settings }: Pick<Host, "settings">, req: Request): Language {
  const offered = siteLanguages(settings);
  const requested = offered.find((language) => language === req.query.lang);
  return requested ?? preferred(settings, req) ?? offered[0] ?? "en";
}

const isApi = /^\/api(\/|$)/;

/** Gives the words of all pages the language of the call. */
export const speakLanguage =
  (host: Pick<Host, "settings">): RequestHandler =>
  (req, _res, next) =>
    isApi.test(req.path) ? next() : inLanguage(pageLanguage(host, req), () => next());
