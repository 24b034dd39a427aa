import { randomId } from "../../format/random-id.ts";

// An open tab sends its own stored changes, so no other tab may send them. Without https a browser has no locks, and a tab
// cannot know which others are open.

const storageKey = "carrel.tab";
const lockOf = (tab: string): string => `carrel.tab ${tab}`;
const hasLocks = (): boolean => "locks" in navigator;

/** Holds the lock of a tab until the page is closed. @returns whether it was free, or became free within `maxWaitMs`. */
const claim = (tab: string, maxWaitMs = 0): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const options = maxWaitMs > 0 ? { signal: AbortSignal.timeout(maxWaitMs) } : { ifAvailable: true };
    navigator.locks
      .request(lockOf(tab), options, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>(() => {});
      })
      .catch((error: unknown) =>
        error instanceof DOMException && error.name === "TimeoutError" ? resolve(false) : reject(error),
      );
  });

/** Marks a tab that is reloaded or goes to another page. A duplicate of an open tab does not have the mark. */
const leftKey = "carrel.left";
/** The browser releases the lock of the page before a reload only when that page has ended. */
const maxReleaseMs = 10_000;

async function claimTab(): Promise<string> {
  const known = sessionStorage.getItem(storageKey) ?? randomId();
  const wasLeft = sessionStorage.getItem(leftKey) !== null;
  sessionStorage.removeItem(leftKey);
  addEventListener("pagehide", () => sessionStorage.setItem(leftKey, "yes"));
  addEventListener("pageshow", () => sessionStorage.removeItem(leftKey));
  // The browser gives a duplicated tab the storage of the first one.
  const isOwn = !hasLocks() || (await claim(known, wasLeft ? maxReleaseMs : 0));
  const tab = isOwn ? known : randomId();
  if (!isOwn) await claim(tab);
  sessionStorage.setItem(storageKey, tab);
  return tab;
}

let claimed: Promise<string> | undefined;

/** The id of this tab; the same after a reload. */
export function ownTab(): Promise<string> {
  claimed ??= claimTab();
  return claimed;
}

/** Whether a tab lives, this one included. */
export async function lives(tab: string): Promise<boolean> {
  if (!hasLocks()) return false;
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockOf(tab));
}
