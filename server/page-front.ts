import type { RequestHandler } from "express";
import type { Services } from "../shared/api.ts";
import type { Host } from "../shared/kernel/host.ts";
import type { Authenticate } from "../shared/kernel/resource.ts";
import { pageFont, pageScript } from "../shared/web-app/built-app.ts";
import { loadShedding } from "./load-shedding.ts";
import { pageCosts } from "./page-costs.ts";
import { withPageAssets } from "./pages/page-answer.ts";
import { pageCache } from "./pages/page-cache.ts";
import { speakLanguage } from "./pages/page-language.ts";
import { readHead } from "./sync/feed.repository.ts";

export interface PageFront {
  before: RequestHandler[];
  charged(authenticate: Authenticate): Authenticate;
}

interface FrontParts extends Pick<Services, "usage"> {
  /** The built app. */
  appFolder: string | undefined;
}

/**
 * What stands before all pages: kept pages, costs of addresses, and the load of the server (web 10).
 * @param undo gets what ends the measuring.
 */
export function pageFront(host: Host, { usage, appFolder }: FrontParts, undo: (() => void)[]): PageFront {
  const load = loadShedding();
  undo.unshift(load.stop);
  const costs = pageCosts(host.settings.limits.pages);
  const kept = pageCache(host, {
    usage,
    isOverloaded: () => load.level() > 0,
    lastChange: async () => (host.abilities.sharesDatabase ? readHead(host.db) : undefined),
  });
  const noteLoad: RequestHandler = (_req, res, next) => {
    res.locals.load = load.level();
    next();
  };
  const assets = withPageAssets({ script: pageScript(appFolder), font: pageFont(appFolder) });
  return { before: [kept.answer, assets, speakLanguage(host), noteLoad, costs.ofOpenRoutes], charged: costs.charged };
}
