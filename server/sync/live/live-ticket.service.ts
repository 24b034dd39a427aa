import { createHash } from "node:crypto";
import type { Call } from "../../../shared/kernel/call.ts";
import type { Caller, Scope } from "../../../shared/kernel/caller.ts";
import { forbidden } from "../../../shared/kernel/failure.ts";
import type { Host } from "../../../shared/kernel/host.ts";
import { endsWithin, isWithin } from "../../../shared/kernel/timestamps.ts";
import { deleteOldTickets, deleteOwnTickets, insertTicket, takeTicket } from "./live-ticket.repository.ts";

export interface Ticket {
  ticket: string;
  /** Microseconds UTC. */
  expiresAt: number;
}

/**
 * One-time tickets for WebSockets, which cannot send headers. Tokens must not appear in URLs, because logs keep those.
 */
export interface TicketService {
  /** Issues a ticket for 60 s, limited to one document if named. @throws Failure 403 for an anonymous caller. */
  issue(call: Call, document: string | undefined): Promise<Ticket>;
  /** Uses up a ticket. @returns its caller; undefined if it is unknown, used, expired or for another document. */
  redeem(ticket: string, document: string): Promise<Caller | undefined>;
}

const lifeMicros = 60_000_000;
/** Limits unused tickets, of one user and of all; the oldest are dropped. */
const limits = { ofOne: 100, ofAll: 10_000 };
const prefix = "draft:";

const withPrefix = (document: string): string => (document.startsWith(prefix) ? document : `${prefix}${document}`);

const digestOf = (ticket: string): string => createHash("sha256").update(ticket).digest("hex");

/** A caller in a row: sets become lists. */
type StoredCaller = Omit<Caller, "roles" | "scopes"> & { roles: string[]; scopes: Scope[] };

const stored = ({ roles, scopes, ...caller }: Caller): StoredCaller => ({
  ...caller,
  roles: [...roles],
  scopes: [...scopes],
});

const restored = ({ roles, scopes, ...caller }: StoredCaller): Caller => ({
  ...caller,
  roles: new Set(roles),
  scopes: new Set(scopes),
});

/** Tickets are in a table, because the socket may be opened at another process than the one that issued the ticket. */
export function ticketService({ db, now, newToken }: Pick<Host, "db" | "now" | "newToken">): TicketService {
  return {
    // What the socket does later is no part of this call.
    async issue({ origin: _origin, ...caller }, document) {
      if (caller.userId === null) throw forbidden();
      const instant = now();
      // The user's own first, so that many of one user displace no one else's.
      await deleteOwnTickets(db, caller.userId, limits.ofOne - 1);
      await deleteOldTickets(db, endsWithin(instant, lifeMicros), limits.ofAll - 1);
      const ticket = newToken();
      const expiresAt = instant + lifeMicros;
      await insertTicket(db, {
        digest: digestOf(ticket),
        caller: JSON.stringify(stored(caller)),
        document: document === undefined ? null : withPrefix(document),
        expires_at: expiresAt,
      });
      return { ticket, expiresAt };
    },
    async redeem(ticket, document) {
      const found = await takeTicket(db, digestOf(ticket));
      if (found === undefined || !isWithin(found.expires_at, endsWithin(now(), lifeMicros))) return undefined;
      return found.document === null || found.document === document ? restored(JSON.parse(found.caller)) : undefined;
    },
  };
}
