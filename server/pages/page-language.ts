import type { Request, RequestHandler } from "express";
import { isHttps } from "../../shared/kernel/client-address.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { Language } from "../../shared/kernel/languages.schema.ts";
import { inLanguage } from "../../shared/kernel/spoken-language.ts";
import { type Settings, siteLanguages } from "../../shared/settings/settings.schema.ts";
import { cookieOf, cookieText, hostCookie } from "../../shared/sign-in/cookies.ts";

/** Browsers of one kind send one text. More than these are read anew. */
const maxTexts = 200;
const preferences = new WeakMap<Settings, Map<string, Language | undefined>>();

/** What the browser prefers of the languages on offer. */
function preferred(settings: Settings, req: Request): Language | undefined {
  const known = preferences.get(settings) ?? new Map<string, Language | undefined>();
  preferences.set(settings, known);
  const text = req.headers["accept-language"] ?? "";
  if (known.has(text)) return known.get(text);
  const languages = siteLanguages(settings);
  const accepted = req.acceptsLanguages(...languages);
  const language = languages.find((one) => one === accepted);
  if (known.size < maxTexts && text.length < 200) known.set(text, language);
  return language;
}

type Site = Pick<Host, "baseUrl" | "settings">;

const nameOfCookie = (site: Site, req: Request): string => hostCookie("language", isHttps(site, req));

const offered = ({ settings }: Site, name: unknown): Language | undefined =>
  siteLanguages(settings).find((language) => language === name);

/** The language that the visitor chose on an earlier page. */
const rememberedLanguage = (site: Site, req: Request): Language | undefined =>
  offered(site, cookieOf(req, nameOfCookie(site, req)));

/** The language of a page: `?lang=`, then an earlier choice, then what the browser prefers, then the first of the site. */
export const pageLanguage = (site: Site, req: Request): Language =>
  offered(site, req.query.lang) ??
  rememberedLanguage(site, req) ??
  preferred(site.settings, req) ??
  siteLanguages(site.settings)[0] ??
  "en";

const yearSeconds = 365 * 86_400;

/** Whether the visitor followed a link of this site. Over http, browsers send no `Sec-Fetch-Site`. */
function isLinkOfSite({ headers: { "sec-fetch-site": site, referer = "", host } }: Request): boolean {
  if (site !== undefined) return site === "same-origin";
  return host !== undefined && URL.parse(referer)?.host === host;
}

/**
 * A `Set-Cookie` value for a visitor who has just chosen another language on a page of this site. A link from elsewhere
 * is no choice.
 */
export function languageCookie(site: Site, req: Request): string | undefined {
  const language = offered(site, req.query.lang);
  if (language === undefined || !isLinkOfSite(req) || language === rememberedLanguage(site, req)) return undefined;
  const options = { isHttpOnly: true, isSecure: isHttps(site, req), maxAgeSeconds: yearSeconds };
  return cookieText(nameOfCookie(site, req), language, options);
}

/** Whether the visitor sends no cookie but their language, so that they see what all strangers see. */
export function sendsLanguageAlone(site: Site, req: Request): boolean {
  const language = rememberedLanguage(site, req);
  return language !== undefined && req.headers.cookie === `${nameOfCookie(site, req)}=${language}`;
}

const isApi = /^\/api(\/|$)/;

/** Gives the words of all pages the language of the call. */
export const speakLanguage =
  (host: Site): RequestHandler =>
  (req, _res, next) =>
    isApi.test(req.path) ? next() : inLanguage(pageLanguage(host, req), () => next());
