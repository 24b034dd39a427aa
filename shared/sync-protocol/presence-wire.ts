import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { liveMessage } from "./live.schema.ts";

/** One client's presence state in a document, as sent. */
export interface PresenceEntry {
  clientId: number;
  clock: number;
  state: unknown;
}

/** A client sends its own state; the standard y-websocket client also repeats those of others. */
const maxPresenceEntries = 1000;
/** Longer states are ignored; in characters of JSON. */
const maxStateLength = 4096;

/** Limit for all states of a frame, in bytes: parsing this many takes milliseconds. */
const maxPresenceBytes = 512 * 1024;

/** Reads the states of a frame, after its type. @throws Error for a truncated or invalid frame. */
export function readPresence(bytes: Uint8Array): PresenceEntry[] {
  if (bytes.length > maxPresenceBytes) throw new Error("too many bytes");
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

/** Writes presence states. Without entries it is a keep-alive, which the standard client expects every 30 s. */
export const writePresence = (entries: readonly PresenceEntry[]): Uint8Array =>
  encoding.encode((encoder) => {
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
