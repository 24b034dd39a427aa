import { type Browser, type BrowserContext, expect } from "@playwright/test";
import { csrfCookie } from "../../shared/sign-in/cookies.ts";
import { insertSession, sessionLifeSeconds } from "../../shared/sign-in/session.repository.ts";
import { digestOf } from "../../shared/tokens/token-secret.ts";
import { type Desk, giveCookies, newWindow, openWindow, type Person, type Window } from "./desk.ts";

/** The hosts on which people use the app. */
export const appHosts = ["replica", "server"] as const;
export type AppHost = (typeof appHosts)[number];

export interface Seat extends Window {
  url: string;
  /** Opens a page of the app. */
  go(path: string): Promise<void>;
}

/** A window of the app on a server, signed in by its form. */
export async function signInWindow(browser: Browser, url: string, account: string, secret: string, path: string) {
  const window = await newWindow(browser);
  await window.page.goto(url + path);
  await window.page.getByLabel("User name or e-mail address").fill(account);
  await window.page.getByLabel("Password", { exact: true }).fill(secret);
  await window.page.getByRole("button", { name: "Sign in" }).click();
  await window.page.waitForURL(url + path);
  return window;
}

/** Opens a session on the server as its sign-in page does, without a password: hashing takes processor time. */
async function giveSession(context: BrowserContext, { server }: Desk, person: Person): Promise<void> {
  const [secret, csrf, now] = [server.host.newToken(), server.host.newToken(), server.host.now()];
  await insertSession(server.host.db, {
    ...{ digest: digestOf(secret), user_id: person.id, csrf_token: csrf, created: now, last_used: now },
    expires_at: now + sessionLifeSeconds * 1_000_000,
    ...{ user_agent: "", address: "" },
  });
  await giveCookies(context, server.url, [`session=${secret}`, `${csrfCookie}=${csrf}`]);
}

/**
 * A person's window of the app, on their replica or on the server.
 * @param path the page to open; without it the window shows no page yet.
 */
export async function openSeat(
  browser: Browser,
  desk: Desk,
  person: Person,
  host: AppHost,
  path?: string,
): Promise<Seat> {
  const replica = host === "replica" ? await desk.replica(person) : undefined;
  const { url } = replica ?? desk.server;
  const window = replica ? await openWindow(browser, replica) : await newWindow(browser, false, url);
  if (!replica) await giveSession(window.context, desk, person);
  const go = async (to: string) => void (await window.page.goto(to));
  if (path !== undefined) {
    await go(path);
    await expect(window.page.getByRole("navigation", { name: "Main navigation" })).toBeVisible();
  }
  return { ...window, url, go };
}
