import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { liveMessage } from "./live.schema.ts";

/** One person's state in a document as it travels. */
export interface PresenceEntry {
  clientId: number;
  clock: number;
  state: unknown;
}

/** A client speaks for itself; the stock one also repeats what it hears. */
const maxPresenceEntries = 1000;
/** A longer state is not heard, in characters of JSON. */
const maxStateLength = 4096;

/** All states of a frame together, in bytes: parsing them takes some milliseconds. */
const maxPresenceBytes = 512 * 1024;

/** Reads the states of a frame whose type was read already. @throws Error when it is cut short or garbled. */
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

/** People's states; without entries a sign of life, which the stock client misses after 30 s. */
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
