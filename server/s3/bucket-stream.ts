import { Readable } from "node:stream";
import type { ByteRange } from "../../shared/kernel/ranges.ts";
import type { Bucket } from "./bucket.ts";
import { asFailure, StrangeAnswer } from "./bucket-failure.ts";

/** Reading ends after this many reconnects in a row that brought no byte. */
const vainAttempts = 3;

/** Reads a range; a connection that breaks off is followed by another one for the rest. */
async function* parts(bucket: Bucket, key: string, range: ByteRange, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let { start } = range;
  for (let vain = 0; start < range.end; vain += 1) {
    const source = await bucket.get(key, { start, end: range.end }, signal);
    signal.addEventListener("abort", () => source.destroy(), { once: true });
    try {
      for await (const chunk of source as AsyncIterable<Uint8Array>) {
        start += chunk.byteLength;
        if (start > range.end) throw new StrangeAnswer("more bytes than were asked for");
        if (chunk.byteLength > 0) vain = -1;
        yield chunk;
      }
    } catch (error) {
      if (signal.aborted || error instanceof StrangeAnswer || vain >= vainAttempts) throw asFailure(error);
    } finally {
      source.destroy();
    }
    if (start < range.end && vain >= vainAttempts)
      throw asFailure(new StrangeAnswer("fewer bytes than were asked for"));
  }
}

/** A range of an object as a stream. Calls the store before it returns, so that a refusal is thrown here. */
export async function readObject(bucket: Bucket, key: string, range: ByteRange): Promise<Readable> {
  if (range.end <= range.start) return Readable.from([]);
  const closed = new AbortController();
  const bytes = parts(bucket, key, range, closed.signal);
  const first = await bytes.next();
  async function* all(): AsyncGenerator<Uint8Array> {
    if (!first.done) yield first.value;
    yield* bytes;
  }
  const stream = Readable.from(all(), { objectMode: false });
  return stream.once("close", () => closed.abort());
}
