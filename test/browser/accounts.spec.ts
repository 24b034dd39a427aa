import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { linkToken } from "../../shared/accounts/link-secret.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { clientSecret, openIdentityProvider } from "../support/identity-provider.ts";
import { temporaryFolder } from "../support/memory-folder.ts";
import { Desk, newWindow } from "./desk.ts";
import { openSeat } from "./seats.ts";

// The pages of accounts in a browser, which keeps to their policy and their focus as no client without one does.

const password = "a horse of many stables";
let desk: Desk;
let provider: Awaited<ReturnType<typeof openIdentityProvider>>;

test.beforeAll(async () => {
  provider = await openIdentityProvider({ sub: "0000-0002-1825-0097", name: "Josiah Carberry" });
  const file = join(temporaryFolder(), `carrel-client-${process.pid}`);
  await writeFile(file, `${clientSecret}\n`, { mode: 0o600 });
  const orcid = { id: "orcid", label: "ORCID", kind: "orcid", issuer: provider.issuer, client_id: "carrel" };
  const providers = [{ ...orcid, client_secret: { file }, accounts: "anyone" }];
  desk = await Desk.open({
    sign_in: settingsSchema.shape.sign_in.parse({ providers }),
    smtp: { url: "smtp://127.0.0.1:9", from: "carrel@example.org" },
  });
  provider.serve(`${desk.server.url}/sign-in/orcid/callback`);
  const { id } = await desk.person("ada", "Ada Mohr");
  await desk.server.services.signIn.resetPassword(id, password);
});

test.afterAll(async () => {
  await desk.close();
  provider.close();
});

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

async function signIn(page: Page, secret: string): Promise<void> {
  await fill(page, "User name or e-mail address", "ada");
  await fill(page, "Password", secret);
  await press(page, "Sign in");
}

test("a newcomer confirms the address and continues at the provider (issue 18, web 9)", async ({ browser }) => {
  const { page, context } = await newWindow(browser, false, desk.server.url);
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Continue with ORCID" }).click();
  await fill(page, "User name", "two words");
  await fill(page, "E-mail address", "josiah@example.org");
  await press(page, "Send the link");
  await expect(page.getByLabel("User name", { exact: true })).toBeFocused();
  await fill(page, "User name", "josiah");
  await press(page, "Send the link");
  await expect(page.getByRole("heading", { name: "Look into your mail" })).toBeVisible();
  const [link] = await desk.server.host.db.selectFrom("account_link").select("id").execute();
  await page.goto(`/confirm-email/${linkToken(folderSecret(desk.dataDir), link?.id ?? "")}`);
  await press(page, "Create the account");
  await expect(page.getByRole("heading", { name: "The account was created" })).toBeVisible();
  await page.getByRole("link", { name: "Continue with ORCID" }).click();
  await expect(page.getByRole("link", { name: "Your library" })).toBeVisible();
  await context.close();
});

test("the focus is at what was refused, and Back never wants to send a form again (issue 18, web 9, 11)", async ({
  browser,
}) => {
  const { page, context } = await newWindow(browser, false, desk.server.url);
  await page.goto("/sign-in?next=/about");
  await signIn(page, "a wrong horse");
  const problem = page.getByRole("alert");
  await expect(problem).toHaveText("The name or the password is wrong.");
  await expect(problem).toBeFocused();
  await signIn(page, password);
  await page.waitForURL("**/about");
  await page.goBack();
  await expect(page.getByRole("link", { name: "Your library" })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto("/about?lang=de");
  const bar = await page.getByRole("banner").boundingBox();
  expect(bar?.height, "the bar has two rows (web 12)").toBeLessThan(110);
  await context.close();
});

test("an administrator whose rights wait for a second factor is led to it (web 9; issue 17: administration)", async ({
  browser,
}) => {
  const sign_in = settingsSchema.shape.sign_in.parse({ second_factor: "administrators" });
  const strict = await Desk.open({ sign_in });
  const boss = await strict.person("boss", "Bo Ng", ["superuser-access"]);
  const karin = await strict.person("karin", "Karin Lindqvist");
  const { page } = await openSeat(browser, strict, boss, "server", "/administration");
  await page.getByRole("link", { name: "Open sign-in and security" }).click();
  await expect(page.getByText("Your administrative rights wait")).toBeVisible();
  const other = await openSeat(browser, strict, karin, "server", "/administration");
  await expect(other.page.getByText("Only administrators of the server")).toBeVisible();
  await strict.close();
});

test("users sign in, choose a password and sign out on a server reached by plain http (issue 18, web 9)", async ({
  playwright,
  launchOptions,
}) => {
  // Not a loopback address: there browsers send no `Sec-Fetch-Site`, and `Origin` alone names the page of a form.
  const args = [...(launchOptions.args ?? []), "--host-resolver-rules=MAP library.test 127.0.0.1"];
  const browser = await playwright.chromium.launch({ ...launchOptions, args });
  try {
    const at = `http://library.test:${new URL(desk.server.url).port}`;
    const { page } = await newWindow(browser, false, at);
    await page.goto("/forgot-password");
    await fill(page, "E-mail address", "ada@example.org");
    await press(page, "Send the link");
    await expect(page.getByRole("heading", { name: "Look into your mail" })).toBeVisible();
    const links = desk.server.host.db.selectFrom("account_link").select("id").where("kind", "=", "reset");
    const { id } = await links.executeTakeFirstOrThrow();
    await page.goto(`/reset-password/${linkToken(folderSecret(desk.dataDir), id)}`);
    await fill(page, "New password", "a stable of many horses");
    await press(page, "Save the password");
    await page.goto("/sign-in?next=/about");
    await signIn(page, "a stable of many horses");
    await page.waitForURL("**/about");
    await press(page, "Sign out");
    await expect(page.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
  } finally {
    await browser.close();
  }
});
