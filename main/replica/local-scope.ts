import type { RequestHandler } from "express";

const lists =
  /^\/api\/(?:(?:user\/)?(?:records|requests)|records\/[^/]+\/requests|users|groups|vocabularies\/[^/]+|affiliations|names|subjects|funders|awards)\/?$/;

/** A search answered here covers what is held here, and says so (hosts-and-sync 3). */
export const localScope: RequestHandler = (req, res, next) => {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (isRead && lists.test(req.path)) res.setHeader("Sync-Scope", "local");
  next();
};
