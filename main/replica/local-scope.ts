import { type RouteStep, routeOf } from "../../shared/kernel/route-facts.ts";

/** A search answered here covers only what this replica holds, and the answer says so (hosts-and-sync 3). */
export const localScope: RouteStep = (req, res) => {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (isRead && routeOf(req).facts.isSearch) res.setHeader("Sync-Scope", "local");
  return false;
};
