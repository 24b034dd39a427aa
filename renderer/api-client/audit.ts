import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { auditEntry } from "../../shared/openapi/answers/people.schema.ts";
import type { Envelope } from "./record-types.ts";
import { get } from "./request.ts";

/** An entry of the server's audit log. */
export type AuditEntry = z.infer<typeof auditEntry>;

export interface AuditFilter {
  q: string;
  action: string;
  outcome: string;
  /** Days of this computer's calendar, both inclusive, such as `2026-11-29`; empty: any. */
  from: string;
  to: string;
  page: number;
}

export const auditPageSize = 50;
/** The server counts, and turns pages, no further. */
export const mostCounted = 10_000;

/** The instant at which a day, or the one after it, begins here. */
function startOf(day: string, after = 0): string {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + after);
  return start.toISOString();
}

/** For administrators only: 403 for others, 503 offline. */
export const auditQuery = ({ q, action, outcome, from, to, page }: AuditFilter) =>
  queryOptions({
    queryKey: ["audit", q, action, outcome, from, to, page],
    queryFn: () => {
      const parameters = new URLSearchParams({ size: String(auditPageSize), page: String(page) });
      if (q.trim() !== "") parameters.set("q", q.trim());
      if (action !== "") parameters.set("action", action);
      if (outcome !== "") parameters.set("outcome", outcome);
      if (from !== "") parameters.set("since", startOf(from));
      if (to !== "") parameters.set("until", startOf(to, 1));
      return get<Envelope<AuditEntry>>(`/api/audit-logs?${parameters}`);
    },
    placeholderData: (before) => before,
    // No event announces entries.
    staleTime: 0,
    retry: false,
  });
