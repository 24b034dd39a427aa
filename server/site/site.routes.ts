import type { Router } from "express";
import { answerText } from "../../shared/kernel/answer.ts";
import { notFound } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";
import { parseMarkdown } from "../../shared/previews/markdown.ts";
import { siteLanguages } from "../../shared/settings/settings.schema.ts";
import { answerPublic } from "../discovery/public-answer.ts";
import { markdownHtml } from "../file-pages/markdown-html.ts";
import { html } from "../pages/html.ts";
import { answerPage } from "../pages/page-answer.ts";
import type { Page } from "../pages/page-frame.ts";
import { pageLanguage } from "../pages/page-language.ts";
import { words } from "../pages/words.ts";
import { type SitePageName, sitePageNames } from "./default-pages.ts";
import { readSiteFiles } from "./site-files.ts";

/**
 * A page from Markdown: its first heading is that of the page. Links such as `/search` lead to pages of this site.
 * @param base start of addresses.
 */
function sitePage(name: SitePageName, text: string, language: string, base: string): Page {
  const [, title = name, rest = text] = /^\s*# +(.+)\n([\s\S]*)$/.exec(text) ?? [];
  const { nodes } = parseMarkdown(rest.replaceAll(/\]\(\/(?!\/)/g, `](${base}/`));
  const content = markdownHtml(words, nodes, { addressOf: () => undefined, raisedBy: 2 });
  return {
    title,
    isIndexed: true,
    body: html`<div class="narrow" lang="${language}"><h1>${title}</h1><div class="prose site">${content}</div></div>`,
  };
}

/** How a home screen shows the site. */
function manifestOf({ baseUrl, settings }: Host, hasTouchIcon: boolean): string {
  const icons = [
    { src: `${baseUrl}/icon.svg`, type: "image/svg+xml", sizes: "any" },
    ...(hasTouchIcon ? [{ src: `${baseUrl}/apple-touch-icon.png`, type: "image/png", sizes: "180x180" }] : []),
  ];
  return JSON.stringify({ name: settings.site.name, start_url: `${baseUrl}/`, display: "browser", icons });
}

const securityDays = 180;
const dayMs = 86_400_000;

/** How to report a hole (RFC 9116). The end is a whole day, so that the text stays the same for a day. */
function securityText({ baseUrl, settings, now }: Host, contact: string): string {
  const day = Math.floor(now() / 1000 / dayMs) + securityDays;
  return `Contact: mailto:${contact}
Expires: ${new Date(day * dayMs).toISOString()}
Canonical: ${baseUrl}/.well-known/security.txt
Preferred-Languages: ${siteLanguages(settings).join(", ")}
`;
}

/** The operator's pages, the mark, and how to report a hole (web 3, 12). */
export function siteRoutes(host: Host): Router {
  const router = routesAbout("host");
  const { icon, touchIcon, pages } = readSiteFiles(host.settings);

  for (const name of sitePageNames) {
    const made = new Map(
      [...(pages.get(name) ?? [])].map(([language, text]) => [
        language,
        sitePage(name, text, language || "en", host.baseUrl),
      ]),
    );
    resource(router, `/${name}`, {
      GET: {
        produces: [],
        async handle(req, res) {
          const page = made.get(pageLanguage(host, req)) ?? made.get("");
          if (!page) throw notFound();
          await answerPage(host, req, res, 200, page);
        },
      },
    });
  }
  resource(router, "/icon.svg", {
    GET: {
      isOpen: true,
      produces: [],
      async handle(req, res) {
        res.setHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox");
        res.setHeader("Cache-Control", "public, max-age=86400");
        await answerText(req, res, 200, "image/svg+xml", icon);
      },
    },
  });
  resource(router, "/apple-touch-icon.png", {
    GET: {
      isOpen: true,
      produces: [],
      handle: (_req, res) => {
        res.setHeader("Cache-Control", "public, max-age=86400");
        if (touchIcon) res.type("image/png").send(touchIcon);
        else res.redirect(302, `${host.baseUrl}/icon.svg`);
      },
    },
  });
  resource(router, "/site.webmanifest", {
    GET: {
      isOpen: true,
      produces: [],
      handle: (req, res) =>
        answerPublic(req, res, "application/manifest+json", manifestOf(host, touchIcon !== undefined)),
    },
  });
  resource(router, "/favicon.ico", {
    GET: { isOpen: true, produces: [], handle: (_req, res) => res.redirect(302, `${host.baseUrl}/icon.svg`) },
  });
  resource(router, "/.well-known/security.txt", {
    GET: {
      isOpen: true,
      produces: [],
      async handle(req, res) {
        const { contact } = host.settings.site;
        if (contact === undefined) throw notFound();
        await answerPublic(req, res, "text/plain; charset=utf-8", securityText(host, contact));
      },
    },
  });
  return router;
}
