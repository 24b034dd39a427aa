import type { FileHandle } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import type { ByteRange } from "../kernel/ranges.ts";

const chunkBytes = 256 * 1024;

/** Thrown internally when the receiver has disconnected. */
class ReceiverClosed extends Error {}

/** The bytes of a blob as a stream, with a faster way to send all of them to a connection. */
export class BlobStream extends Readable {
  #file: FileHandle;
  #position: number;
  #end: number;

  /** The stream closes the file at its end. */
  constructor(file: FileHandle, range: ByteRange) {
    super({ highWaterMark: chunkBytes });
    this.#file = file;
    this.#position = range.start;
    this.#end = range.end;
  }

  override _read(): void {
    const buffer = Buffer.allocUnsafeSlow(Math.min(chunkBytes, this.#end - this.#position));
    this.#fill(buffer).then(
      (count) => this.push(count === 0 ? null : buffer.subarray(0, count)),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#file.close().then(() => callback(error), callback);
  }

  async #fill(buffer: Buffer): Promise<number> {
    const length = Math.min(buffer.byteLength, this.#end - this.#position);
    if (length === 0) return 0;
    const { bytesRead } = await this.#file.read(buffer, 0, length, this.#position);
    this.#position += bytesRead;
    return bytesRead;
  }

  /**
   * Writes everything to the sink and ends it. Alternates two buffers, one read while the other is written: allocating
   * a buffer for each part of a large file costs more time than sending it.
   * @param check is awaited before each part is written.
   * @returns false when the sink was closed before the end. Errors of reading and of `check` are thrown.
   */
  async sendTo(sink: Writable, check: (sizeBytes: number) => Promise<void> = async () => undefined): Promise<boolean> {
    let giveUp: (error: Error) => void = () => undefined;
    sink.once("close", () => giveUp(new ReceiverClosed()));
    sink.on("error", () => giveUp(new ReceiverClosed()));
    const write = (bytes: Buffer): Promise<void> =>
      new Promise((resolve, reject) => {
        giveUp = reject;
        if (sink.destroyed) reject(new ReceiverClosed());
        else sink.write(bytes, (error) => (error ? reject(new ReceiverClosed()) : resolve()));
      });
    try {
      await this.#sendParts(write, check);
      sink.end();
      return true;
    } catch (error) {
      sink.destroy();
      if (error instanceof ReceiverClosed) return false;
      throw error;
    } finally {
      this.destroy();
    }
  }

  async #sendParts(
    write: (bytes: Buffer) => Promise<void>,
    check: (sizeBytes: number) => Promise<void>,
  ): Promise<void> {
    const partBytes = Math.min(chunkBytes, this.#end - this.#position);
    let filling = Buffer.allocUnsafeSlow(partBytes);
    // A file of one part needs one buffer: unused memory of many small downloads would keep the garbage collector busy.
    let sending = this.#end - this.#position > partBytes ? Buffer.allocUnsafeSlow(partBytes) : filling;
    let writing: Promise<void> = Promise.resolve();
    for (;;) {
      if (filling === sending) await writing;
      const count = await this.#fill(filling);
      await writing;
      if (count === 0) break;
      await check(count);
      writing = write(filling.subarray(0, count));
      writing.catch(() => undefined);
      [filling, sending] = [sending, filling];
    }
    if (this.#position < this.#end) throw new Error("the blob ended before its size");
  }
}
