import { expect, test } from "@playwright/test";
import { type RunningApp, startApp } from "../support/app.ts";

let app: RunningApp;
test.beforeAll(async () => {
  app = await startApp();
});
test.afterAll(() => app.stop());

const pages = ["/", "/activity", "/sync", "/settings", "/me/requests"];

test("the printed address opens the app once, and its pages break no rule of their own policy (ux 4)", async ({
  page,
  browser,
}) => {
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) wrong.push(message.text());
  });
  await page.goto(app.address);
  await expect(page).toHaveTitle(/Carrel/);
  expect(page.url()).not.toContain("#t=");
  for (const path of pages) {
    await page.goto(`${app.url}${path}`);
    await expect(page.locator("#root")).not.toBeEmpty();
    await page.waitForLoadState("networkidle");
  }
  expect(wrong).toEqual([]);

  // As a window that was left before its code was exchanged: the cookie is there, the CSRF token is not.
  const token = await page.evaluate(() => localStorage.getItem("carrel.csrf"));
  expect(token).not.toBeNull();
  await page.evaluate(() => localStorage.clear());
  await page.goto(app.url);
  await page.waitForFunction((known) => localStorage.getItem("carrel.csrf") === known, token);

  const second = await browser.newContext();
  const answer = await second.request.post(`${app.url}/api/sync/session`, {
    data: { code: new URL(app.address).hash.slice("#t=".length) },
  });
  expect(answer.status()).toBe(401);
  await second.close();
});

test("without the secret the app's files answer, the person's data does not (hosts-and-sync 2)", async ({
  playwright,
}) => {
  const stranger = await playwright.request.newContext({ baseURL: app.url });
  expect((await stranger.get("/")).status()).toBe(200);
  expect((await stranger.get("/api/user/records")).status()).toBe(401);
  expect((await stranger.get("/api/nowhere")).status()).toBe(401);
  expect((await stranger.get("/", { headers: { Host: "rebound.example.org" } })).status()).toBe(421);
  expect((await stranger.get("/", { headers: { Origin: "https://example.org" } })).status()).toBe(403);
  await stranger.dispose();
});
