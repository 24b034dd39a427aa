import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Router } from "express";
import { answerText } from "../../shared/kernel/answer.ts";
import { resource, routesAbout } from "../../shared/kernel/resource.ts";

/** In a bundle the icon is beside the program. */
const iconFile = import.meta.url.endsWith(".ts") ? "../../renderer/mark.svg" : "mark.svg";
const icon = readFileSync(join(import.meta.dirname, iconFile), "utf8");

/** The icon of all pages. */
export function iconRoutes(): Router {
  const router = routesAbout("host");
  resource(router, "/icon.svg", {
    GET: { isOpen: true, produces: [], handle: (req, res) => answerText(req, res, 200, "image/svg+xml", icon) },
  });
  return router;
}
