import type { Request, Response, Router } from "express";
import { contentDisposition, safetyHeaders } from "../files/content-headers.ts";
import { sendStream } from "../files/send-content.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { assertContentType, lentBody } from "../kernel/body.ts";
import { checkedWhileSent } from "../kernel/caller-check.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import type { AttachmentService } from "./attachment.service.ts";
import { presentAttachment } from "./event.presenter.ts";

const bytesType = "application/octet-stream";

/** Attachments of comments (requests 9). */
export function attachmentRoutes(parts: { host: Host; attachments: AttachmentService }): Router {
  const { host, attachments } = parts;
  const router = routesAbout("request");

  async function upload(req: Request, res: Response): Promise<void> {
    assertContentType(req, [bytesType]);
    const [requestId, name] = [pathPart(req, "id"), pathPart(req, "filename")];
    const file = await attachments.upload(() => callerOf(req), requestId, name, lentBody(req));
    await answer(req, res, 200, presentAttachment(file, host.baseUrl));
  }

  async function content(req: Request, res: Response): Promise<void> {
    const [requestId, key] = [pathPart(req, "id"), pathPart(req, "key")];
    const { file, bytes } = await attachments.open(host.db, callerOf(req), requestId, key);
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
    const find = () => attachments.find(host.db, callerOf(req), requestId, key);
    await sendStream(res, bytes, checkedWhileSent(req, find));
  }

  async function remove(req: Request, res: Response): Promise<void> {
    await attachments.remove(callerOf(req), { requestId: pathPart(req, "id"), key: pathPart(req, "key") });
    answerNothing(res);
  }

  resource(router, "/requests/:id/files/upload/:filename", {
    PUT: { handle: upload, consumes: "stream" },
  });
  resource(router, "/requests/:id/files/:key/content", {
    isBytes: () => true,
    GET: { handle: content, produces: [] },
  });
  resource(router, "/requests/:id/files/:key", { DELETE: withoutBody(remove) });
  return router;
}
