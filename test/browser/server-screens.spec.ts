import { expect, type Page, test } from "@playwright/test";
import { linkToken } from "../../shared/accounts/link-secret.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { violationsOf } from "./axe.ts";
import { Desk, type Person } from "./desk.ts";
import { takePicture } from "./picture.ts";
import { givenSample } from "./samples.ts";
import { openSeat, signInWindow } from "./seats.ts";

// Screens that a server alone has: the pages of accounts, and the app in a browser. Each at four widths, in light and dark,
// with axe.

const widths = [1440, 900, 390, 320];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
let desk: Desk;
let ada: Person;
let record: string;
let draft: string;

test.beforeAll(async () => {
  const providers = [
    { id: "orcid", label: "ORCID", kind: "orcid", issuer: "http://127.0.0.1:9", client_id: "carrel" },
    { id: "uni", label: "Example University", issuer: "http://127.0.0.1:9", client_id: "carrel" },
  ];
  desk = await Desk.open({
    sign_in: settingsSchema.shape.sign_in.parse({ providers }),
    smtp: { url: "smtp://127.0.0.1:9", from: "carrel@example.org" },
  });
  ada = await desk.person("ada", "Ada Mohr", ["superuser-access"]);
  record = await givenSample(ada.server, 0);
  draft = await givenSample(ada.server, 1, { isPublished: false });
});

test.afterAll(() => desk.close());

/** Waits until nothing is loading or animated, so that colours are final. */
async function calm(page: Page): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(`(async () => {
    await document.fonts.ready;
    const short = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(short.map(({ finished }) => finished));
  })()`);
}

/** @returns what is wrong with the page that is open. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of colorScheme === "light" ? widths : [1440]) {
      await page.setViewportSize({ width, height: 900 });
      await calm(page);
      if (await page.evaluate("document.documentElement.scrollWidth > innerWidth")) faults.push(`${name} at ${width}`);
      if (width === 1440 || width === 390) await takePicture(page, `server-${name}-${width}-${colorScheme}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await calm(page);
    const violations = await violationsOf(page, { theme: colorScheme, tags });
    faults.push(...violations.map(({ id, nodes }) => `${name} ${colorScheme} ${id}: ${nodes[0]?.html.slice(0, 200)}`));
  }
  return faults;
}

/** Addresses of links in mail that still work. */
async function mailedLinks(): Promise<Record<string, string>> {
  const { host, services } = desk.server;
  await ada.server.post("/api/invitations", { email: "new@example.org" });
  await fetch(`${desk.server.url}/forgot-password`, {
    method: "POST",
    headers: { origin: desk.server.url },
    body: new URLSearchParams({ email: "ada@example.org" }),
  });
  expect(services.users).toBeDefined();
  const secret = folderSecret(desk.dataDir);
  const links = await host.db.selectFrom("account_link").selectAll().execute();
  const pathOf = { invitation: "/invitation", reset: "/reset-password", confirmation: "/confirm-email" };
  return Object.fromEntries(links.map(({ id, kind }) => [kind, `${pathOf[kind]}/${linkToken(secret, id)}`]));
}

test("pages of accounts: axe finds nothing in light and dark, and nothing sticks out at four widths (web 9, 11, 13)", async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: desk.server.url, bypassCSP: true });
  const page = await context.newPage();
  const links = await mailedLinks();
  const faults: string[] = [];
  const screens: Record<string, [path: string, shows: string | RegExp]> = {
    "sign-in": ["/sign-in", "Forgot your password?"],
    "forgot-password": ["/forgot-password", /address/i],
    "reset-password": [links.reset ?? "", /new password/i],
    invitation: [links.invitation ?? "", /account/i],
    "link-ended": ["/reset-password/nothing", /ended/],
    "confirmation-ended": ["/confirm-email/nothing", /day/],
    "provider-down": ["/sign-in/uni", "Example University cannot be reached"],
    "sign-in-lost": ["/sign-in/uni/callback", /sign/i],
    refused: [`/records/${draft}?preview=1`, /access/],
  };
  for (const [name, [path, shows]] of Object.entries(screens)) {
    await page.goto(path);
    await expect(page.locator("main").getByText(shows).first(), name).toBeVisible();
    faults.push(...(await faultsOf(page, name)));
  }
  await page.goto("/sign-in");
  await page.getByLabel("User name or e-mail address").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  faults.push(...(await faultsOf(page, "sign-in-wrong")));
  expect(faults).toEqual([]);
  await context.close();
});

test("the own account and its second factor, and signing out (web 9, 11, 13)", async ({ browser }) => {
  const secret = "a horse of many stables";
  await desk.server.services.signIn.resetPassword(ada.id, secret);
  const { page, context } = await signInWindow(browser, desk.server.url, "ada", secret, "/account");
  const faults: string[] = [];
  await expect(
    page
      .getByRole("heading", { name: "Sessions" })
      .or(page.getByText(/session/i))
      .first(),
  ).toBeVisible();
  faults.push(...(await faultsOf(page, "account")));
  await page
    .locator("form", { has: page.locator('[value="begin-factor"]') })
    .getByLabel("Your password", { exact: true })
    .fill("a horse of many stables");
  await page
    .locator("form", { has: page.locator('[value="begin-factor"]') })
    .getByRole("button", { name: /^(?!Show)/ })
    .click();
  await expect(page.locator("main svg").first()).toBeVisible();
  faults.push(...(await faultsOf(page, "account-factor")));
  await page.goto(`${desk.server.url}/sign-out`);
  faults.push(...(await faultsOf(page, "sign-out")));
  expect(faults).toEqual([]);
  await context.close();
});

test("the app on the server: axe finds nothing in light and dark, and nothing sticks out at four widths (web 5, 11, 13)", async ({
  browser,
}) => {
  const seat = await openSeat(browser, desk, ada, "server", "/me/uploads");
  const faults: string[] = [];
  const screens: Record<string, string> = {
    uploads: "/me/uploads",
    draft: `/uploads/${draft}`,
    record: `/me/records/${record}`,
    requests: "/me/requests",
    activity: "/activity",
    people: "/people",
    person: `/people/${ada.id}`,
    settings: "/settings",
    "settings-profile": "/settings/profile",
    administration: "/administration",
  };
  for (const [name, path] of Object.entries(screens)) {
    await seat.go(path);
    await expect(seat.page.getByRole("heading", { level: 1 }).first(), name).toBeAttached();
    faults.push(...(await faultsOf(seat.page, `app-${name}`)));
  }
  expect([...faults, ...seat.faults]).toEqual([]);
  await seat.context.close();
});
