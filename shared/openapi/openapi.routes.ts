import { Router } from "express";
import { answer, answerText } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { resource } from "../kernel/resource.ts";
import { version } from "../version.ts";
import { docsPage } from "./docs-page.presenter.ts";
import { openApiDocument } from "./openapi.ts";
import { operations } from "./operations.ts";

/** The description of the API, for programs and for people. */
export function openApiRoutes({ host }: { host: Host }): Router {
  const router = Router();
  let document: Record<string, unknown> | undefined;
  resource(router, "/openapi.json", {
    GET: {
      isOpen: true,
      handle(req, res) {
        document ??= openApiDocument(host.baseUrl, version);
        return answer(req, res, 200, document);
      },
    },
  });
  resource(router, "/docs", {
    GET: {
      isOpen: true,
      produces: ["text/html"],
      async handle(req, res) {
        res.setHeader("Content-Security-Policy", "default-src 'none'");
        await answerText(req, res, 200, "text/html; charset=utf-8", docsPage(operations, version));
      },
    },
  });
  return router;
}
