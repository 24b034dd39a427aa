import { expect, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

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
