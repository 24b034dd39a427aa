import { expect, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { expectToFit } from "./fits.ts";
import { takePicture } from "./picture.ts";
import { givenSample } from "./samples.ts";

test("the app speaks German by choice, in each window and after a reload, and fits a phone's width (app, words)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const id = await givenSample(karin.server, 3, { isPublished: false });
  const host = await desk.replica(karin);
  const { page, context, faults } = await openWindow(browser, host, { path: "/settings/appearance" });
  const other = await context.newPage();
  await other.goto(`${host.url}/settings`);
  await expect(other.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await page.getByRole("radio", { name: "Deutsch" }).focus();
  await page.keyboard.press("Space");
  for (const window of [page, other]) {
    await expect(window.getByRole("heading", { name: "Einstellungen", level: 1 })).toBeVisible();
    await expect(window.locator("html")).toHaveAttribute("lang", "de");
  }
  await page.reload();
  await expect(page.getByRole("radio", { name: "Deutsch" })).toBeChecked();
  await takePicture(page, "german-settings-light");
  await page.goto(`${host.url}/`);
  await expect(page.getByText("Ressourcentypen").first()).toBeVisible();
  for (const label of ["Bild", "Offen", "Unveröffentlicht", "Englisch"])
    await expect(page.getByText(label, { exact: true }).first()).toBeVisible();
  for (const [path, heading] of [
    ["/", "Bibliothek"],
    [`/uploads/${id}`, "Personen"],
    ["/me/requests", "Anfragen"],
    ["/activity", "Aktivität"],
    ["/sync", "Synchronisierung"],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${host.url}${path}`);
    await expect(page.getByText(heading, { exact: true }).first()).toBeVisible();
    await takePicture(page, `german-${heading}-light`);
    await expectToFit(page);
  }
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
