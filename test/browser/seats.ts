import { type Browser, expect } from "@playwright/test";
import { type Desk, newWindow, openWindow, type Person, type Window } from "./desk.ts";

/** The hosts on which people use the app. */
export const appHosts = ["replica", "server"] as const;
export type AppHost = (typeof appHosts)[number];

export interface Seat extends Window {
  url: string;
  /** Opens a page of the app. */
  go(path: string): Promise<void>;
}

const password = "a horse of many stables";

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

/** A person's window of the app, on their replica or on the server. */
export async function openSeat(browser: Browser, desk: Desk, person: Person, host: AppHost): Promise<Seat> {
  const start = "/me/uploads";
  let window: Window;
  let { url } = desk.server;
  if (host === "replica") {
    const replica = await desk.replica(person);
    window = await openWindow(browser, replica);
    url = replica.url;
  } else {
    const { username } = (await person.server.get("/api/me")).body;
    await desk.server.services.signIn.resetPassword(person.id, password);
    window = await signInWindow(browser, url, username, password, start);
  }
  await expect(window.page.getByRole("navigation", { name: "Main navigation" })).toBeVisible();
  return { ...window, url, go: async (path) => void (await window.page.goto(url + path)) };
}
