import type { Router } from "express";
import { fileRoutes } from "./file-pages/file.routes.ts";
import { iconRoutes } from "./pages/icon.routes.ts";
import { pageRoutes } from "./pages/page.routes.ts";
import type { PageParts } from "./pages/record-pages.ts";

/** The pages of records and their files (web 3). */
export const recordPageRouters = (parts: PageParts): Router[] => [pageRoutes(parts), fileRoutes(parts), iconRoutes()];
