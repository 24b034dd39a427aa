import { randomId } from "../../format/random-id.ts";

// An open tab sends its own stored changes, so no other tab may send them. Without https a browser has no locks, and a tab
// cannot know which others are open.

const storageKey = "carrel.tab";
const lockOf = (tab: string): string => `carrel.tab ${tab}`;
const hasLocks = (): boolean => "locks" in navigator;

/** Holds the lock of a tab until the page is closed. @returns whether it was free. */
const claim = (tab: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    navigator.locks
      .request(lockOf(tab), { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>(() => {});
      })
      .catch(reject);
  });

async function claimTab(): Promise<string> {
  const known = sessionStorage.getItem(storageKey) ?? randomId();
  // The browser gives a duplicated tab the storage of the first one.
  const isOwn = !hasLocks() || (await claim(known));
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
