import type { SiteClock } from "./clock.ts";
import type { Profile } from "./profile.ts";

interface Window {
  began: number;
  used: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Counts calls per User-Agent and address, not per person (F16). */
export class Limits {
  readonly #windows = new Map<string, Window>();
  readonly #clock: SiteClock;
  readonly #profile: Profile;
  /** Other budgets than the profile's. */
  override: { minute: number; hour: number } | undefined;

  constructor(clock: SiteClock, profile: Profile) {
    this.#clock = clock;
    this.#profile = profile;
  }

  #count(key: string, lengthMs: number): Window {
    const now = this.#clock.now();
    const known = this.#windows.get(key);
    const window = known && now - known.began < lengthMs ? known : { began: now, used: 0 };
    window.used++;
    this.#windows.set(key, window);
    return window;
  }

  /** Counts one call. @returns the headers that come with every answer, and whether it goes beyond the budget. */
  count(caller: string, isPerson: boolean, isSearch: boolean): { headers: Record<string, string>; isOver: boolean } {
    const { limits } = this.#profile;
    const { minute, hour } = this.override ?? (isPerson ? limits.person : limits.guest);
    const kind = isPerson && limits.person !== limits.guest ? "person" : "guest";
    const counted = [
      { most: minute, lengthMs: minuteMs, window: this.#count(`${caller} ${kind} minute`, minuteMs) },
      { most: hour, lengthMs: hourMs, window: this.#count(`${caller} ${kind} hour`, hourMs) },
    ];
    if (isSearch && limits.search !== undefined && !this.override)
      counted.push({ most: limits.search, lengthMs: minuteMs, window: this.#count(`${caller} search`, minuteMs) });
    const [tightest] = counted.sort((a, b) => a.most - a.window.used - (b.most - b.window.used));
    if (!tightest) throw new Error("no window was counted");
    const { most, lengthMs, window } = tightest;
    const endMs = window.began + lengthMs;
    return {
      isOver: window.used > most,
      headers: {
        "x-ratelimit-limit": String(most),
        "x-ratelimit-remaining": String(Math.max(0, most - window.used)),
        "x-ratelimit-reset": String(Math.ceil(endMs / 1000)),
        "retry-after": String(Math.max(0, Math.ceil((endMs - this.#clock.now()) / 1000))),
      },
    };
  }
}
