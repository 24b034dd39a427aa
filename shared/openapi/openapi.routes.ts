import { createHash } from "node:crypto";
import type { Router } from "express";
import { answer, answerText } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { resource, routesAbout } from "../kernel/resource.ts";
import { version } from "../version.ts";
import { type ApiDocument, docsPage } from "./docs-page.presenter.ts";
import { docsStyle } from "./docs-style.presenter.ts";
import { openApiDocument } from "./openapi.ts";

/** Allows nothing but the page's own style sheet. */
const styleDigest = createHash("sha256").update(docsStyle).digest("base64");
const policy = `default-src 'none'; style-src 'sha256-${styleDigest}'`;

/** The description of the API, for programs and for people. */
export function openApiRoutes({ host }: { host: Host }): Router {
  const router = routesAbout("library");
  let made: Record<string, unknown> | undefined;
  const document = () => {
    made ??= openApiDocument(host.baseUrl, version, host.role);
    return made;
  };
  resource(router, "/openapi.json", {
    GET: { isOpen: true, handle: (req, res) => answer(req, res, 200, document()) },
  });
  resource(router, "/docs", {
    GET: {
      isOpen: true,
      produces: ["text/html"],
      async handle(req, res) {
        res.setHeader("Content-Security-Policy", policy);
        const page = docsPage(document() as unknown as ApiDocument);
        await answerText(req, res, 200, "text/html; charset=utf-8", page);
      },
    },
  });
  return router;
}
