import type { Caller } from "../../../shared/kernel/caller.ts";
import { forbidden } from "../../../shared/kernel/failure.ts";
import type { Host } from "../../../shared/kernel/host.ts";

export interface Ticket {
  ticket: string;
  /** Microseconds UTC. */
  expiresAt: number;
}

/** One-time admission to a document's socket: a browser's WebSocket can send no header, and a URL ends in logs. */
export interface TicketService {
  /** A ticket for 60 s, for one document when named. @throws Failure 403 for an anonymous caller. */
  issue(caller: Caller, document: string | undefined): Ticket;
  /** Whose ticket it was; used up by this, whatever it was for. Undefined: unknown, used, expired or for another. */
  redeem(ticket: string, document: string): Caller | undefined;
}

const lifeMicros = 60_000_000;
/** Tickets that were never used; beyond this the oldest go. */
const maxKept = 10_000;
const prefix = "draft:";

const withPrefix = (document: string): string => (document.startsWith(prefix) ? document : `${prefix}${document}`);

/** Tickets live in memory: one that a restart loses is asked for again. */
export function ticketService(host: Host): TicketService {
  const kept = new Map<string, { caller: Caller; document: string | undefined; expiresAt: number }>();

  function forgetOld(now: number): void {
    for (const [ticket, { expiresAt }] of kept) {
      if (expiresAt > now && kept.size < maxKept) return;
      kept.delete(ticket);
    }
  }

  return {
    issue(caller, document) {
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
