import { z } from "zod";

/** The input of a ticket (hosts-and-sync 8, Ticket); `document` as in the socket's path. */
export const ticketRequest = z.object({ document: z.string().max(100).optional() }).optional();

/** Message types on a document's socket; numbers up to 99 are those of y-websocket. */
export const liveMessage = {
  sync: 0,
  awareness: 1,
  denied: 2,
  queryAwareness: 3,
  /** To peers that connected with `extras=1`: update number n of this socket (from 1) is durable. */
  stored: 100,
  /** To the same peers: update number n was refused, with a reason as text. */
  refused: 102,
} as const;

/** Why the server closes a socket. 44xx: reconnecting is useless until something changes. */
export const liveClose = {
  unreadable: 1002,
  notBinary: 1003,
  failed: 1011,
  restarting: 1012,
  tooSlow: 1013,
  signInAgain: 4401,
  withdrawn: 4403,
  gone: 4404,
  startedAnew: 4409,
} as const;

/** Longest accepted frame; a longer one closes the socket with 1009. */
export const maxFrameBytes = 8 * 1024 * 1024;
