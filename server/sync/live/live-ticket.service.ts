import type { Call } from "../../../shared/kernel/call.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import { forbidden } from "../../../shared/kernel/failure.ts";
import type { Host } from "../../../shared/kernel/host.ts";

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
  issue(call: Call, document: string | undefined): Ticket;
  /** Uses up a ticket. @returns its caller; undefined if it is unknown, used, expired or for another document. */
  redeem(ticket: string, document: string): Caller | undefined;
}

const lifeMicros = 60_000_000;
/** Limits unused tickets; the oldest are dropped. */
const maxKept = 10_000;
const prefix = "draft:";

const withPrefix = (document: string): string => (document.startsWith(prefix) ? document : `${prefix}${document}`);

/** Tickets are kept in memory. After a restart clients request new ones. */
export function ticketService(host: Host): TicketService {
  const kept = new Map<string, { caller: Caller; document: string | undefined; expiresAt: number }>();

  function forgetOld(now: number): void {
    for (const [ticket, { expiresAt }] of kept) {
      if (expiresAt > now && kept.size < maxKept) return;
      kept.delete(ticket);
    }
  }

  return {
    // What the socket does later is no part of this call.
    issue({ origin: _origin, ...caller }, document) {
      if (caller.userId === null) throw forbidden();
      const now = host.now();
      forgetOld(now);
      const ticket = host.newToken();
      const expiresAt = now + lifeMicros;
      kept.set(ticket, { caller, document: document === undefined ? undefined : withPrefix(document), expiresAt });
      return { ticket, expiresAt };
    },
    redeem(ticket, document) {
      const found = kept.get(ticket);
      kept.delete(ticket);
      if (found === undefined || found.expiresAt <= host.now()) return undefined;
      return found.document === undefined || found.document === document ? found.caller : undefined;
    },
  };
}
