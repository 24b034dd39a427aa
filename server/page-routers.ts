import { Router } from "express";
import { fileRoutes } from "./file-pages/file.routes.ts";
import { linkVisit } from "./link-visit.ts";
import { iconRoutes } from "./pages/icon.routes.ts";
import { pageRoutes } from "./pages/page.routes.ts";
import type { PageParts } from "./pages/record-pages.ts";

/** The pages of records and their files (web 3). */
export const recordPageRouters = (parts: PageParts): Router[] => [
  Router().use(linkVisit({ host: parts.host, access: parts.services.access })),
  pageRoutes(parts),
  fileRoutes(parts),
  iconRoutes(),
];
