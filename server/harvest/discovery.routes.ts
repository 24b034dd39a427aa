import type { Router } from "express";
import { notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { pathPart, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { answerPublic } from "../discovery/public-answer.ts";
import { apiCatalog } from "./api-catalog.presenter.ts";
import { robotsText } from "./robots.presenter.ts";
import { sitemapService } from "./sitemap.service.ts";

const xmlType = "application/xml; charset=utf-8";
const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** The sitemap, the rules for robots and the catalogue of interfaces (web 8). They are the same for everybody. */
export function discoveryRoutes(host: Host): Router {
  const router = routesAbout("host");
  const { baseUrl, settings } = host;
  const sitemap = sitemapService(host);

  const offer = (
    path: string,
    type: string,
    make: (part: string) => string | undefined | Promise<string | undefined>,
  ) =>
    resource(router, path, {
      GET: {
        isOpen: true,
        produces: [],
        async handle(req, res) {
          const text = await make(path.includes(":part") ? pathPart(req, "part") : "");
          if (text === undefined) throw notFound();
          if (type === catalogType) res.setHeader("Link", `<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`);
          await answerPublic(req, res, type, text);
        },
      },
    });

  offer("/robots.txt", "text/plain; charset=utf-8", () => robotsText(baseUrl));
  offer("/sitemap.xml", xmlType, sitemap.index);
  offer("/sitemaps/:part", xmlType, (part) => {
    const [, first] = /^records-([0-9a-z-]+)\.xml$/.exec(part) ?? [];
    if (part === "pages.xml") return sitemap.pages();
    return first === undefined ? undefined : sitemap.records(first);
  });
  offer("/.well-known/api-catalog", catalogType, () =>
    JSON.stringify(apiCatalog(baseUrl, settings.site.contact !== undefined)),
  );
  return router;
}
