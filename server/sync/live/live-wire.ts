import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { liveMessage } from "../../../shared/sync-protocol/live.schema.ts";
import { type PresenceEntry, readPresence } from "../../../shared/sync-protocol/presence-wire.ts";

/** What a client says. */
export type ClientMessage =
  /** Asks for all that is not in this state vector. */
  | { type: "ask"; stateVector: Uint8Array }
  /** What it has beyond the state vector that it was asked with. */
  | { type: "answer"; update: Uint8Array }
  | { type: "update"; update: Uint8Array }
  | { type: "presence"; entries: PresenceEntry[] }
  | { type: "query-presence" }
  | { type: "unknown" };

const step = { ask: 0, answer: 1, update: 2 } as const;
/** Reads a frame of the y-websocket protocol. @throws Error when it is cut short or garbled. */
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

/** Asks the client for all that is not in this state vector. */
export const writeAsk = (stateVector: Uint8Array): Uint8Array => syncFrame(step.ask, stateVector);
/** Answers the client's question. */
export const writeAnswer = (update: Uint8Array): Uint8Array => syncFrame(step.answer, update);
export const writeUpdate = (update: Uint8Array): Uint8Array => syncFrame(step.update, update);

/** "Permission denied", in the words that the stock client shows. */
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
