import type { Request, Response } from "express";
import { answerText } from "../kernel/answer.ts";
import { isNotModified } from "../kernel/conditional-requests.ts";
import type { Avatar } from "./avatar.presenter.ts";

/** HTTP headers are Latin-1, so other letters are replaced by their code point. */
const headerText = (etag: string): string =>
  etag.replace(/[^\x20-\x7e\xa0-\xff]/gu, (sign) => `u${(sign.codePointAt(0) ?? 0).toString(16)}`);

/** Sends an avatar; 304 when the client has it (requests 11). */
export async function answerAvatar(req: Request, res: Response, avatar: Avatar): Promise<void> {
  const etag = headerText(avatar.etag);
  res.setHeader("ETag", etag);
  res.setHeader("Cache-Control", "private, max-age=300");
  res.setHeader("Content-Disposition", "inline; filename=avatar.svg");
  res.setHeader("Content-Security-Policy", "default-src 'none'; img-src data:; sandbox");
  if (isNotModified(req.headers["if-none-match"], etag)) {
    res.status(304).end();
    return;
  }
  await answerText(req, res, 200, "image/svg+xml; charset=utf-8", avatar.svg);
}
