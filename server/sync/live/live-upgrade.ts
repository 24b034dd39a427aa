import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { Failure, notFound } from "../../../shared/kernel/failure.ts";

const documents = "/api/sync/documents/";

export interface Target {
  /** The name in the path. */
  room: string;
  /** Undefined if the room is not a draft's. */
  draftId: string | undefined;
  ticket: string | undefined;
  hasExtras: boolean;
}

/** Reads what the request wants to open. @throws Failure 404 for another path. */
export function readTarget(req: IncomingMessage): Target {
  const address = URL.parse(req.url ?? "/", "http://server");
  if (!address?.pathname.startsWith(documents)) throw notFound();
  const { pathname, searchParams } = address;
  const room = decode(pathname.slice(documents.length));
  return {
    room,
    draftId: /^draft:([0-9a-z-]{1,40})$/.exec(room)?.[1],
    ticket: searchParams.get("ticket") ?? undefined,
    hasExtras: searchParams.get("extras") === "1",
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound();
  }
}

/** Refuses an upgrade with an HTTP response (hosts-and-sync 8, Ticket). */
export function refuseUpgrade(socket: Duplex, error: unknown): void {
  const failure = error instanceof Failure ? error : new Failure("unavailable", "The document cannot be opened now.");
  const body = JSON.stringify(failure.toBody());
  const lines = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ""}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
