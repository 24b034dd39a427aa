import { expect, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { givenRecord, metadata, withoutFiles } from "../support/records.ts";
import { Desk, openWindow } from "./desk.ts";
import { expectToFit, linesOf } from "./fits.ts";
import { takePicture } from "./picture.ts";
import { givenSample, sampleTitles } from "./samples.ts";
import { openSeat } from "./seats.ts";

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
  await expect(page.getByRole("banner").getByText("Strg", { exact: true })).toBeVisible();
  await page.goto(`${host.url}/`);
  await expect(page.getByText("Ressourcentypen").first()).toBeVisible();
  // On a tablet a title is not cut for what stands beside it (issue 17).
  await page.setViewportSize({ width: 768, height: 900 });
  const title = page.getByRole("list", { name: "Datensätze" }).getByText(sampleTitles[3] ?? "", { exact: true });
  await expect.poll(() => title.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
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
    if (path.startsWith("/uploads")) {
      // The tabs beside the form are in one line (issue 17).
      const tops = await page
        .getByRole("complementary")
        .getByRole("tab")
        .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().top));
      expect([tops.length, new Set(tops).size]).toEqual([4, 1]);
    }
    await expectToFit(page);
  }
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("German on a phone: a file's name stays on one line, and what was sent is named in German (app, words; reviewer day)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const file = "monthly-means-1998.csv";
  const id = await givenSample(karin.server, 0, { files: { [file]: Buffer.from("day,value\n1,2\n") } });
  const host = await desk.replica(karin);
  await new HttpClient(host.url, host.guard.secret).post("/api/records", { metadata: { title: "Boden" } });
  const { page, context, faults } = await openWindow(browser, host, { path: "/settings/appearance" });
  await page.getByRole("radio", { name: "Deutsch" }).focus();
  await page.keyboard.press("Space");
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${host.url}/records/${id}`);
  const name = page.getByRole("main").getByText(file, { exact: true });
  await expect(page.getByRole("link", { name: `${file} herunterladen` })).toBeVisible();
  expect(await linesOf(name)).toBe(1);
  await page.goto(`${host.url}/sync`);
  await expect(page.getByText("„Boden“ anlegen")).toBeVisible();
  await test.step("a long sync status leaves the profile whole (app, Width; issue 17)", async () => {
    await page.route("**/api/sync/events", (route) => route.abort());
    await page.route("**/api/sync/status", async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, state: "offline", online: false, pending: 120, rejected: 0 } });
    });
    await page.reload();
    await expect(page.getByRole("button", { name: "Offline · 120 Änderungen warten" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Profil: karin" })).toBeInViewport({ ratio: 1 });
  });
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("German on the server: a quota is written with a comma, a refused upload is not under way, many creators are folded (issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const id = await givenSample(boss.server, 3, { isPublished: false });
  const creators = Array.from({ length: 60 }, (_one, at) => ({
    person_or_org: { type: "personal", family_name: `Weiß${at}`, given_name: "Änne" },
  }));
  const many = await givenRecord(boss.server, { ...withoutFiles, metadata: { ...metadata, creators } });
  const quota = { quota_bytes: 1500 };
  expect((await boss.server.put(`/api/administration/people/${boss.id}/quota`, quota)).status).toBe(200);
  const { page, go, context, faults } = await openSeat(browser, desk, boss, "server", "/me/uploads");
  await page.evaluate(() => localStorage.setItem("carrel.language", "de"));
  await go(`/people/${boss.id}`);
  await expect(page.getByRole("textbox", { name: "Kontingent in GB" })).toHaveValue("0,0000015");

  await go(`/uploads/${id}`);
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Dateien hinzufügen" }).click();
  await (await choosing).setFiles({
    name: "pegel.bin",
    mimeType: "application/octet-stream",
    buffer: Buffer.alloc(5000),
  });
  await expect(page.getByText(/^pegel.bin: Der Speicher auf dem Server reicht dafür nicht aus/)).toBeVisible();
  await expect(page.getByText("Abgebrochen")).toBeVisible();
  await expect(page.getByText(/wird hochgeladen/)).toHaveCount(0);

  await go(`/me/records/${many}`);
  const last = page
    .getByRole("main")
    .getByText(/Weiß59, Änne/)
    .first();
  await expect(page.getByText("Weiß11, Änne")).toBeVisible();
  await expect(last).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(last).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "48 weitere zeigen" }).click();
  await expect(last).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
