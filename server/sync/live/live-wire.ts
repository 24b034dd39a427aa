import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { liveMessage } from "../../../shared/sync-protocol/live.schema.ts";
import { type PresenceEntry, readPresence } from "../../../shared/sync-protocol/presence-wire.ts";

/** Messages of a client. */
export type ClientMessage =
  /** Requests everything that this state vector lacks (sync step 1). */
  | { type: "ask"; stateVector: Uint8Array }
  /** What the client has beyond the requested state vector (sync step 2). */
  | { type: "answer"; update: Uint8Array }
  | { type: "update"; update: Uint8Array }
  | { type: "presence"; entries: PresenceEntry[] }
  | { type: "query-presence" }
  | { type: "unknown" };

const step = { ask: 0, answer: 1, update: 2 } as const;
/** Parses a y-websocket frame. @throws Error if it is truncated or malformed. */
export function readMessage(frame: Uint8Array): ClientMessage {
  const decoder = decoding.createDecoder(frame);
  const type = decoding.readVarUint(decoder);
  if (type === liveMessage.sync) {
    const kind = decoding.readVarUint(decoder);
    const bytes = decoding.readVarUint8Array(decoder);
    if (kind === step.ask) return { type: "ask", stateVector: bytes };
    if (kind === step.answer) return { type: "answer", update: bytes };
    if (kind === step.update) return { type: "update", update: bytes };
    throw new Error(`unknown step ${kind}`);
  }
  if (type === liveMessage.awareness)
    return { type: "presence", entries: readPresence(decoding.readVarUint8Array(decoder)) };
  return { type: type === liveMessage.queryAwareness ? "query-presence" : "unknown" };
}

const frame = (write: (encoder: encoding.Encoder) => void): Uint8Array => encoding.encode(write);

const syncFrame = (kind: number, bytes: Uint8Array): Uint8Array =>
  frame((encoder) => {
    encoding.writeVarUint(encoder, liveMessage.sync);
    encoding.writeVarUint(encoder, kind);
    encoding.writeVarUint8Array(encoder, bytes);
  });

/** Requests everything from the client that this state vector lacks. */
export const writeAsk = (stateVector: Uint8Array): Uint8Array => syncFrame(step.ask, stateVector);
/** Answers the client's sync request. */
export const writeAnswer = (update: Uint8Array): Uint8Array => syncFrame(step.answer, update);
export const writeUpdate = (update: Uint8Array): Uint8Array => syncFrame(step.update, update);

/** "Permission denied", as the stock client shows it. */
export const writeDenied = (reason: string): Uint8Array =>
  frame((encoder) => {
    encoding.writeVarUint(encoder, liveMessage.denied);
    encoding.writeVarUint(encoder, 0);
    encoding.writeVarString(encoder, reason);
  });

export const writeStored = (number: number): Uint8Array =>
  frame((encoder) => {
    encoding.writeVarUint(encoder, liveMessage.stored);
    encoding.writeVarUint(encoder, number);
  });

export const writeRefused = (number: number, reason: string): Uint8Array =>
  frame((encoder) => {
    encoding.writeVarUint(encoder, liveMessage.refused);
    encoding.writeVarUint(encoder, number);
    encoding.writeVarString(encoder, reason);
  });
