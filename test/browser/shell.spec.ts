import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { type RunningApp, startApp } from "../support/app.ts";

let app: RunningApp;
test.beforeAll(async () => {
  app = await startApp();
});
test.afterAll(() => app.stop());

const pages = ["/", "/activity", "/sync", "/settings", "/me/requests"];

test("the printed address opens the app once, and no page violates the content security policy (ux 4)", async ({
  page,
  browser,
}) => {
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  await page.exposeFunction("tellRefused", (directive: string) => void wrong.push(directive));
  await page.addInitScript(`document.addEventListener("securitypolicyviolation", (event) =>
    window.tellRefused(event.violatedDirective + " " + event.blockedURI));`);
  await page.goto(app.address);
  await expect(page).toHaveTitle(/Carrel/);
  await expect(page).not.toHaveURL(/#t=/);
  for (const path of pages) {
    await page.goto(`${app.url}${path}`);
    await expect(page.getByRole("main")).not.toBeEmpty();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    // Over a slow line each script is a call that the page waits for.
    const scripts = await page.evaluate(
      'performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).length',
    );
    expect(scripts, path).toBeLessThan(20);
  }
  expect(wrong).toEqual([]);

  // Like a window that was closed during the exchange: it has the cookie but no CSRF token.
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

test("the browser is opened with a file whose name does not contain the code; the file opens the app and is then deleted (security 5)", async ({
  page,
}) => {
  const shown = await startApp({ opensBrowser: true });
  try {
    const file = await shown.shown();
    expect(file).toMatch(/^\/.*\/carrel\.html$/);
    const code = /#t=([\w-]+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
    expect(file).not.toContain(code);
    await page.goto(pathToFileURL(file).href);
    await page.waitForURL(`${shown.url}/**`);
    await expect(page).toHaveTitle(/Carrel/);
    await page.waitForFunction(() => localStorage.getItem("carrel.csrf") !== null);
    await expect(page).not.toHaveURL(/#t=/);
    expect(await page.evaluate("document.referrer")).toBe("");
    await expect.poll(() => existsSync(file)).toBe(false);
  } finally {
    await shown.stop();
  }
});

test("without the secret, the app's files are served but the user's data is not (hosts-and-sync 2)", async ({
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
