import { hash } from "node:crypto";
import type { Host } from "../kernel/host.ts";

/** Who came: only a digest of it is kept, for an hour, in memory. */
export interface Visitor {
  userId: string | null;
  address: string;
  userAgent: string | undefined;
}

const hourMicros = 3_600_000_000;
/** Visitors and what they did in this hour; who comes after so many is counted, but not as a unique visitor. */
const mostDeeds = 200_000;

/** Tells visitors of this hour apart without knowing who they are: the salt of the digests is never stored. */
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

  /** How many of them did not do this before in this hour. */
  countNew(digests: ReadonlySet<string>, deed: string): number {
    let count = 0;
    for (const digest of digests) {
      const key = `${digest} ${deed}`;
      if (this.#deeds.has(key) || this.#deeds.size >= mostDeeds) continue;
      this.#deeds.add(key);
      count++;
    }
    return count;
  }

  /** In a new hour everybody is new, and nobody can tell any more who came before. */
  forgetLastHour(): void {
    const hour = this.#currentHour();
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#salt = "";
    this.#deeds.clear();
  }
}
