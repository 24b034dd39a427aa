import type { Request, Response } from "express";
import { clientAddress } from "../kernel/client-address.ts";
import { callerOf } from "../kernel/resource.ts";
import type { Visitor } from "./hourly-visitors.ts";
import type { UsageService } from "./usage.service.ts";

const visitorOf = (req: Request): Visitor => ({
  userId: callerOf(req).userId,
  address: clientAddress(req),
  userAgent: req.headers["user-agent"],
});

/** Counts an answered view of a record. A 304 counts too: the visitor viewed it again. */
export function countView(usage: UsageService, req: Request, res: Response, recordId: string): void {
  const isAnswered = res.statusCode === 200 || res.statusCode === 304;
  if (req.method === "GET" && isAnswered) usage.viewed(visitorOf(req), recordId);
}

/** Only the first part of a file counts; the others belong to the same download. */
const isBegun = (res: Response): boolean =>
  res.statusCode === 200 || (res.statusCode === 206 && /^bytes 0-/.test(String(res.getHeader("Content-Range"))));

/** Counts a record's files that were sent to the end. */
export function countDownload(
  usage: UsageService,
  req: Request,
  res: Response,
  { recordId, ...files }: { recordId: string; count: number; sizeBytes: number },
): void {
  if (req.method === "GET" && isBegun(res) && res.writableEnded) usage.downloaded(visitorOf(req), recordId, files);
}
