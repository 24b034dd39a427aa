import { expect, type Page, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { givenSample } from "./samples.ts";

async function pressOutside(page: Page) {
  // A second press within half a second counts as a double click.
  await page.waitForTimeout(600);
  await page.mouse.click(5, 5);
}

test("a dialog with typed words, or a link that is shown once, is closed by its buttons alone; without them Escape closes it (ux 2, Do not lose my work)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("ruth", "Ruth Okafor", ["superuser-access"]);
  const { page, context, faults } = await openWindow(browser, await desk.replica(boss), { path: "/" });
  const dialog = page.getByRole("dialog");
  const stays = async (field: string, value: string) => {
    await page.keyboard.press("Escape");
    await pressOutside(page);
    await expect(dialog.getByLabel(field).first()).toHaveValue(value);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toHaveCount(0);
  };
  await page.getByRole("button", { name: "New draft" }).first().click();

  await test.step("nothing was typed: Escape and a press outside close it", async () => {
    for (const close of [() => page.keyboard.press("Escape"), () => pressOutside(page)])
      for (const name of ["Add a person", "Paste a list"]) {
        await page.getByRole("button", { name }).first().click();
        await expect(dialog).toBeVisible();
        await close();
        await expect(dialog).toHaveCount(0);
      }
  });

  await test.step("a person and a list of people", async () => {
    await page.getByRole("button", { name: "Add a person" }).first().click();
    await dialog.getByLabel("Given names").fill("Emmy");
    await stays("Given names", "Emmy");
    await page.getByRole("button", { name: "Paste a list" }).first().click();
    await dialog.getByLabel("Names").fill("Noether, Emmy");
    await stays("Names", "Noether, Emmy");
  });

  await test.step("the link of an invitation", async () => {
    await page.goto(new URL("/administration/people", page.url()).href);
    await page.getByRole("button", { name: "Invite a person" }).click();
    await dialog.getByRole("textbox", { name: /^E-mail/ }).fill("emmy@example.org");
    await dialog.getByRole("button", { name: "Invite" }).click();
    await expect(dialog.getByText(/\/invitation\//)).toBeVisible();
    await page.keyboard.press("Escape");
    await pressOutside(page);
    await expect(dialog.getByText(/\/invitation\//)).toBeVisible();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(dialog).toHaveCount(0);
  });

  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("the dialogs of reviews, access requests, deletions, tokens, groups and citations keep typed words, too (ux 2, Do not lose my work)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("ruth", "Ruth Okafor", ["superuser-access"]);
  const owner = await desk.person("noor", "Noor Haddad");
  const draft = await givenSample(owner.server, 0, { isPublished: false });
  const path = `/api/records/${draft}/draft`;
  const { metadata } = (await owner.server.get(path)).body;
  await owner.server.put(path, { access: { record: "public", files: "restricted" }, metadata });
  const settings = { allow_user_requests: true, secret_link_expiration: 0 };
  expect((await owner.server.put(`/api/records/${draft}/access`, settings)).status).toBe(200);
  expect((await owner.server.post(`${path}/actions/publish`)).status).toBe(202);
  const own = await givenSample(boss.server, 1);
  const unpublished = await givenSample(boss.server, 2, { isPublished: false });
  const { page, context, faults } = await openWindow(browser, await desk.replica(boss), { path: "/" });
  const dialog = page.getByRole("dialog");
  const go = (to: string) => page.goto(new URL(to, page.url()).href);
  const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();

  /** Types into the open dialog, which then stays until its button is pressed. */
  const keeps = async (field: string | RegExp, close = "Cancel") => {
    const words = dialog.getByRole("textbox", { name: field });
    await words.click();
    await page.keyboard.type("Two words");
    await page.keyboard.press("Escape");
    await pressOutside(page);
    await expect(words).toBeVisible();
    await expect.poll(() => words.evaluate((one) => ("value" in one ? one.value : one.textContent))).toBe("Two words");
    await dialog.getByRole("button", { name: close }).click();
    await expect(dialog).toHaveCount(0);
  };

  await test.step("a request of access", async () => {
    const asker = await desk.person("emmy", "Emmy Noether");
    const window = await openWindow(browser, await desk.replica(asker), { path: `/records/${draft}` });
    await window.page.getByRole("button", { name: "Ask for access" }).first().click();
    const words = window.page.getByRole("dialog").getByRole("textbox");
    await words.fill("For my thesis");
    await window.page.keyboard.press("Escape");
    await pressOutside(window.page);
    await expect(words).toHaveValue("For my thesis");
    await window.context.close();
  });

  await test.step("a token", async () => {
    await go("/settings/tokens");
    await press("New token");
    await keeps(/^What/);
  });

  await test.step("a group", async () => {
    await go("/people?view=groups");
    await press("New group");
    await keeps("Description");
  });

  await test.step("the deletion of a record", async () => {
    await go(`/records/${own}`);
    await press("More for this record");
    await page.getByRole("menuitem", { name: /Delete/ }).click();
    await keeps(/^Note/);
  });

  await test.step("a review", async () => {
    await go(`/uploads/${unpublished}`);
    await press("Submit for review");
    await keeps(/^Message to the reviewer/);
  });

  await test.step("a citation", async () => {
    await press("More for this draft");
    await page.getByRole("menuitem", { name: "Fill in from a citation" }).click();
    await keeps("Citation");
  });

  await test.step("citations of many works", async () => {
    await go("/me/uploads");
    await press("Other ways to begin a draft");
    await page.getByRole("menuitem", { name: "Import citations" }).click();
    await keeps("Citations");
  });

  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
