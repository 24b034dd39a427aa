import { hash } from "node:crypto";
import type { Host } from "../kernel/host.ts";

/** A visitor. Only a digest is kept, in memory, for an hour. */
export interface Visitor {
  userId: string | null;
  address: string;
  userAgent: string | undefined;
}

const hourMicros = 3_600_000_000;
/** Limit of remembered visits an hour; further visits count, but not as unique. */
const maxDeeds = 200_000;

/** Distinguishes the visitors of an hour without identifying them: the salt of the digests is never stored. */
export class HourlyVisitors {
  readonly #host: Pick<Host, "now" | "newToken">;
  readonly #deeds = new Set<string>();
  #salt = "";
  #hour: number;

  constructor(host: Pick<Host, "now" | "newToken">) {
    this.#host = host;
    this.#hour = this.#currentHour();
  }

  #currentHour(): number {
    return Math.floor(this.#host.now() / hourMicros);
  }

  digestOf({ userId, address, userAgent }: Visitor): string {
    if (this.#salt === "") this.#salt = this.#host.newToken();
    return hash("sha256", `${this.#salt} ${userId ?? `${address} ${userAgent ?? ""}`}`, "base64url").slice(0, 16);
  }

  /** How many of the visitors do `deed` for the first time this hour. */
  countNew(digests: ReadonlySet<string>, deed: string): number {
    let count = 0;
    for (const digest of digests) {
      const key = `${digest} ${deed}`;
      if (this.#deeds.has(key) || this.#deeds.size >= maxDeeds) continue;
      this.#deeds.add(key);
      count++;
    }
    return count;
  }

  /** Starts a new hour. Earlier visitors cannot be recognised any more. */
  forgetLastHour(): void {
    const hour = this.#currentHour();
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#salt = "";
    this.#deeds.clear();
  }
}
