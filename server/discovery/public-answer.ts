import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { answerIfKnown, answerText } from "../../shared/kernel/answer.ts";

/** Sends a text that is the same for everybody, with a strong ETag, and 304 for who has it already. */
export async function answerPublic(req: Request, res: Response, type: string, text: string): Promise<void> {
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  res.setHeader("Cache-Control", "public, no-cache");
  res.vary("Accept-Encoding");
  if (!answerIfKnown(req, res, 200, etag)) await answerText(req, res, 200, type, text);
}
