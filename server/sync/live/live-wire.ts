import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { liveMessage } from "../../../shared/sync-protocol/live.schema.ts";

/** One person's state in a document as it travels. */
export interface PresenceEntry {
  clientId: number;
  clock: number;
  state: unknown;
}

/** What a client says. */
export type ClientMessage =
  /** Asks for all that is not in this state vector. */
  | { type: "ask"; stateVector: Uint8Array }
  | { type: "update"; update: Uint8Array }
  | { type: "presence"; entries: PresenceEntry[] }
  | { type: "query-presence" }
  | { type: "unknown" };

const step = { ask: 0, answer: 1, update: 2 } as const;
/** A client speaks for itself; the stock one also repeats what it hears. */
const maxPresenceEntries = 1000;
/** A longer state is not heard, in characters of JSON. */
const maxStateLength = 4096;

/** Reads a frame of the y-websocket protocol. @throws Error when it is cut short or garbled. */
export function readMessage(frame: Uint8Array): ClientMessage {
  const decoder = decoding.createDecoder(frame);
  const type = decoding.readVarUint(decoder);
  if (type === liveMessage.sync) {
    const kind = decoding.readVarUint(decoder);
    const bytes = decoding.readVarUint8Array(decoder);
    if (kind === step.ask) return { type: "ask", stateVector: bytes };
    if (kind === step.answer || kind === step.update) return { type: "update", update: bytes };
    throw new Error(`unknown step ${kind}`);
  }
  if (type === liveMessage.awareness)
    return { type: "presence", entries: readPresence(decoding.readVarUint8Array(decoder)) };
  return { type: type === liveMessage.queryAwareness ? "query-presence" : "unknown" };
}

function readPresence(bytes: Uint8Array): PresenceEntry[] {
  const decoder = decoding.createDecoder(bytes);
  const count = decoding.readVarUint(decoder);
  if (count > maxPresenceEntries) throw new Error("too many entries");
  const entries: PresenceEntry[] = [];
  for (let i = 0; i < count; i++) {
    const clientId = decoding.readVarUint(decoder);
    const clock = decoding.readVarUint(decoder);
    const state = decoding.readVarString(decoder);
    if (state.length <= maxStateLength) entries.push({ clientId, clock, state: JSON.parse(state) });
  }
  return entries;
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

/** People's states; without entries a sign of life, which the stock client misses after 30 s. */
export const writePresence = (entries: readonly PresenceEntry[]): Uint8Array =>
  frame((encoder) => {
    const inner = encoding.encode((into) => {
      encoding.writeVarUint(into, entries.length);
      for (const { clientId, clock, state } of entries) {
        encoding.writeVarUint(into, clientId);
        encoding.writeVarUint(into, clock);
        encoding.writeVarString(into, JSON.stringify(state));
      }
    });
    encoding.writeVarUint(encoder, liveMessage.awareness);
    encoding.writeVarUint8Array(encoder, inner);
  });

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
