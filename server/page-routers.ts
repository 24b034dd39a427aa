import { Router } from "express";
import { fileRoutes } from "./file-pages/file.routes.ts";
import { linkVisit } from "./link-visit.ts";
import { ownActions } from "./own-actions.ts";
import { pageRoutes } from "./pages/page.routes.ts";
import type { PageParts } from "./pages/record-pages.ts";
import { siteRoutes } from "./site/site.routes.ts";

/** The pages of records and their files (web 3). */
export const recordPageRouters = (parts: PageParts): Router[] => [
  Router().use(linkVisit({ host: parts.host, access: parts.services.access })),
  pageRoutes(parts),
  ownActions(parts),
  fileRoutes(parts),
  siteRoutes(parts.host),
];
