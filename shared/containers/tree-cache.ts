import type { ContainerTree } from "./container-tree.ts";

const defaultMaxBytes = 256 * 1024 * 1024;

/**
 * Trees by the sha256 of their archive; the least recently used are dropped. An archive never changes, so an entry is
 * never outdated. Concurrent callers share one reading.
 */
export class TreeCache {
  #trees = new Map<string, ContainerTree>();
  #reading = new Map<string, Promise<ContainerTree>>();
  #sizeBytes = 0;
  #maxBytes: number;

  constructor(maxBytes = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  async get(sha256: string, read: () => Promise<ContainerTree>): Promise<ContainerTree> {
    const known = this.#trees.get(sha256);
    if (known) {
      this.#trees.delete(sha256);
      this.#trees.set(sha256, known);
      return known;
    }
    const running = this.#reading.get(sha256);
    if (running) return running;
    const reading = read();
    this.#reading.set(sha256, reading);
    try {
      const tree = await reading;
      this.#keep(sha256, tree);
      return tree;
    } finally {
      this.#reading.delete(sha256);
    }
  }

  #keep(sha256: string, tree: ContainerTree): void {
    this.#trees.set(sha256, tree);
    this.#sizeBytes += tree.sizeBytes;
    for (const [oldest, { sizeBytes }] of this.#trees) {
      if (this.#sizeBytes <= this.#maxBytes || oldest === sha256) break;
      this.#trees.delete(oldest);
      this.#sizeBytes -= sizeBytes;
    }
  }
}
