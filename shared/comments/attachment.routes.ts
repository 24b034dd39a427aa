import { pipeline } from "node:stream/promises";
import type { Request, Response, Router } from "express";
import { contentDisposition, safetyHeaders } from "../files/content-headers.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { assertContentType, lentBody } from "../kernel/body.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, newRouter, pathPart, resource } from "../kernel/resource.ts";
import type { AttachmentService } from "./attachment.service.ts";
import { presentAttachment } from "./event.presenter.ts";

const bytesType = "application/octet-stream";

/** Attachments of comments (requests 9). */
export function attachmentRoutes(parts: { host: Host; attachments: AttachmentService }): Router {
  const { host, attachments } = parts;
  const router = newRouter();

  async function upload(req: Request, res: Response): Promise<void> {
    assertContentType(req, [bytesType]);
    const file = await attachments.upload(callerOf(req), pathPart(req, "id"), pathPart(req, "filename"), lentBody(req));
    await answer(req, res, 200, presentAttachment(file, host.baseUrl));
  }

  async function content(req: Request, res: Response): Promise<void> {
    const { file, bytes } = await attachments.open(host.db, callerOf(req), pathPart(req, "id"), pathPart(req, "key"));
    const headers = {
      ...safetyHeaders(bytesType),
      "Content-Type": bytesType,
      // Before the length, as in `contentHeaders`.
      "Content-Disposition": contentDisposition("attachment", file.original_filename),
      "Content-Length": String(file.size),
    };
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    if (req.method === "HEAD") {
      bytes.destroy();
      res.end();
      return;
    }
    await pipeline(bytes, res);
  }

  async function remove(req: Request, res: Response): Promise<void> {
    await attachments.remove(callerOf(req), { requestId: pathPart(req, "id"), key: pathPart(req, "key") });
    answerNothing(res);
  }

  resource(router, "/requests/:id/files/upload/:filename", { PUT: { handle: upload, consumes: "stream" } });
  resource(router, "/requests/:id/files/:key/content", { GET: { handle: content, produces: [] } });
  resource(router, "/requests/:id/files/:key", { DELETE: remove });
  return router;
}
