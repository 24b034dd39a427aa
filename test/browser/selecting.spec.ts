import { expect, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { hold } from "./hold.ts";

test("the focus is kept when selecting several records begins and ends (issue 17)", async ({ browser }) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  for (const title of ["Scrap one", "Scrap two"])
    await near.post("/api/records", { files: { enabled: false }, metadata: { title } });
  const { page, context, faults } = await openWindow(browser, replica, { path: "/?q=scrap" });
  const select = page.getByRole("button", { name: "Select", exact: true });
  await select.press("Enter");
  await expect(page.getByRole("checkbox", { name: "Select all 2" })).toBeFocused();
  await page.getByRole("button", { name: "Done" }).press("Enter");
  await expect(select).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByRole("checkbox", { name: /^Select Scrap/ }).first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(select).toBeFocused();
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("drafts that are discarded together are counted meanwhile (issue 17)", async ({ browser }) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const near = new HttpClient(replica.url, replica.guard.secret);
  const ids: string[] = [];
  for (const title of ["Scrap one", "Scrap two", "Scrap three"])
    ids.push((await near.post("/api/records", { files: { enabled: false }, metadata: { title } })).body.id);
  const { page, context, faults } = await openWindow(browser, replica, { path: "/?q=scrap" });
  await page.getByRole("button", { name: "Select", exact: true }).press("Enter");
  await page.getByRole("checkbox", { name: "Select all 3" }).press("Space");
  await page.getByRole("button", { name: "Discard 3 drafts" }).click();
  // The list has the newest first.
  const last = await hold(page, "DELETE", new RegExp(`/api/records/${ids[0]}/draft$`));
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard 3 drafts" }).click();
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "2 of 3 discarded" })).toBeVisible();
  await last.release();
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("screen readers are told the sync status that lasts, not each one that passes (issue 17)", async ({ browser }) => {
  const desk = await Desk.open();
  const replica = await desk.replica(await desk.person("karin", "Karin Lindqvist"));
  const near = new HttpClient(replica.url, replica.guard.secret);
  const { page, context, faults } = await openWindow(browser, replica);
  // Two seconds never pass, until the test says so.
  await page.addInitScript(`{
    const plain = window.setTimeout;
    window.setTimeout = (work, ms, ...rest) => (ms === 2000 ? ((window.afterTwoSeconds = work), 0) : plain(work, ms, ...rest));
  }`);
  await page.goto("/");
  const shown = (words: string) => page.getByRole("button", { name: words });
  const spoken = (words: string) => page.getByRole("status").filter({ hasText: words });
  await expect(shown("Up to date")).toBeVisible();
  await page.evaluate("window.afterTwoSeconds()");
  await expect(spoken("Up to date")).toHaveCount(1);
  await near.post("/api/sync/pause");
  await expect(shown("Paused")).toBeVisible();
  await expect(spoken("Up to date")).toHaveCount(1);
  await page.evaluate("window.afterTwoSeconds()");
  await expect(spoken("Paused")).toHaveCount(1);
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
