import type { BlobStore } from "./blob-store.ts";

/**
 * Keeps the sweep from removing bytes that a call is about to link. Between sealing and linking, no row shows that the
 * bytes are needed.
 */
class BlobGate {
  #linking = 0;
  #removal: Promise<unknown> | undefined;

  /** Runs `work`, which seals bytes and commits the row that refers to them. */
  async link<T>(work: () => Promise<T>): Promise<T> {
    while (this.#removal !== undefined) await this.#removal;
    this.#linking += 1;
    try {
      return await work();
    } finally {
      this.#linking -= 1;
    }
  }

  /** Removes bytes unless a call links some. @returns false if one does; the next sweep tries again. */
  async remove(work: () => Promise<void>): Promise<boolean> {
    if (this.#linking > 0 || this.#removal !== undefined) return false;
    const removal = work();
    this.#removal = removal.catch(() => undefined);
    try {
      await removal;
      return true;
    } finally {
      this.#removal = undefined;
    }
  }
}

const gates = new WeakMap<BlobStore, BlobGate>();

/** The gate of a blob store, shared by all its users. */
export function blobGate(blobs: BlobStore): BlobGate {
  const known = gates.get(blobs);
  if (known) return known;
  const gate = new BlobGate();
  gates.set(blobs, gate);
  return gate;
}
