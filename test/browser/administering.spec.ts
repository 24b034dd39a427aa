import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { givenDraft, metadata, publish, withoutFiles } from "../support/records.ts";
import { Desk } from "./desk.ts";
import { linesOf } from "./fits.ts";
import { openSeat } from "./seats.ts";

// Two administrators at once, failures of the server's own work, and keys alone.

test("an invitation that is sent again shows its new link, since the old one ended (issue 17: invitations)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const { body: invited } = await boss.server.post("/api/invitations", { email: "noor@example.org", roles: [] });
  const { page, faults } = await openSeat(browser, desk, boss, "server", "/administration/people");
  await page.getByRole("button", { name: "Send again to noor@example.org" }).click();
  const link = page.getByRole("dialog").locator("code");
  await expect(link).toHaveText(/\/invitation\//);
  await expect(link).not.toHaveText(invited.link);
  expect(faults).toEqual([]);
  await desk.close();
});

test("the last record of a page is restored: the page before it is shown, not an empty list (app 17.8)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  for (let n = 0; n < 26; n++) {
    const id = await givenDraft(boss.server, { ...withoutFiles, metadata: { ...metadata, title: `Record ${n}` } });
    await publish(boss.server, id);
    const why = { removal_reason: { id: "test-record" } };
    expect((await boss.server.delete(`/api/records/${id}/delete`, why)).status).toBe(204);
  }
  const { page, go, faults } = await openSeat(browser, desk, boss, "server");
  await go("/administration/records");
  const restore = page.getByRole("button", { name: /^Restore Record/ });
  await expect(restore).toHaveCount(25);
  // The reason by its name, not its id (issue 17).
  await expect(page.getByText(/· Test record/)).toHaveCount(25);
  await page.getByRole("button", { name: "Next" }).click();
  await expect(restore).toHaveCount(1);
  await restore.click();
  await expect(page.getByText(/is restored/)).toBeVisible();
  await expect(restore).toHaveCount(25);
  expect(faults).toEqual([]);
  await desk.close();
});

test("who lost the rights meanwhile sees the refusal in place of what was read before (issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const { page, faults } = await openSeat(browser, desk, boss, "server", "/administration/storage");
  const shown = page.getByText("Files of people", { exact: true });
  await expect(shown).toBeVisible();
  const refuse = (status: number, message: string) =>
    page.route("**/api/administration/overview", (route) => route.fulfill({ status, json: { status, message } }));
  const comeBack = async () => {
    const parts = page.getByRole("main").getByRole("link");
    await parts.filter({ hasText: "Backups" }).first().click();
    await expect(shown).toHaveCount(0);
    const answer = page.waitForResponse("**/api/administration/overview");
    await parts.filter({ hasText: "Storage" }).first().click();
    await answer;
  };
  await refuse(503, "The server is restarting.");
  await comeBack();
  await expect(shown, "a failure that passes leaves it").toBeVisible();
  await refuse(403, "Permission denied.");
  await comeBack();
  await expect(page.getByText("This could not be loaded")).toBeVisible();
  await expect(shown).toHaveCount(0);
  expect(faults).toEqual([]);
  await desk.close();
});

test("a backup that fails says why in German, and its mark goes as soon as the next one is complete (issue 17: backups)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const folder = join(desk.dataDir, "backups");
  await writeFile(folder, "a file where the folder should be");
  const { page, go, context, faults } = await openSeat(browser, desk, boss, "server");
  await context.addInitScript(() => localStorage.setItem("carrel.language", "de"));
  await go("/administration/backups");
  const now = page.getByRole("button", { name: "Jetzt sichern" });
  const mark = page.getByRole("link", { name: /^Sicherungen 1 Probleme/ });
  await now.click();
  await expect(page.getByText(/^Die Sicherung .* kann nicht geschrieben werden \(/).first()).toBeVisible();
  await expect(mark).toBeVisible();
  await rm(folder);
  await now.click();
  await expect(page.getByText("Vollständig")).toBeVisible();
  await expect(mark).toHaveCount(0, { timeout: 15_000 });
  expect(faults).toEqual([]);
  await desk.close();
});

test("a record that another administrator deleted meanwhile: the dialog keeps the note and says so, and then shows the tombstone (issue 17: moderation)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const vera = await desk.person("vera", "Vera Lindqvist", ["superuser-access"]);
  const karin = await desk.person("karin", "Karin Lindqvist");
  const id = await givenDraft(karin.server, withoutFiles);
  await publish(karin.server, id);
  const { page, faults } = await openSeat(browser, desk, boss, "server", `/me/records/${id}`);
  await page.getByRole("button", { name: "More for this record" }).click();
  await page.getByRole("menuitem", { name: "Delete record" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /Reason/ }).click();
  await page.getByRole("option", { name: "Spam" }).click();
  await dialog.getByRole("textbox", { name: "Note" }).fill("Not ours.");
  const why = { removal_reason: { id: "spam" }, note: "Vera was first\nand says why" };
  expect((await vera.server.delete(`/api/records/${id}/delete`, why)).status).toBe(204);
  await dialog.getByRole("button", { name: "Delete record" }).click();
  await expect(dialog.getByText("Somebody else has deleted or restored this record meanwhile.")).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Note" })).toHaveValue("Not ours.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const note = page.getByText(/^Vera was first/);
  await expect(note).toBeVisible();
  // Its lines stay lines, here and for the public (issue 17: tombstones).
  expect(await linesOf(note)).toBeGreaterThan(1);
  await page.goto(`${desk.server.url}/records/${id}`);
  for (const line of ["Vera was first", "and says why"])
    await expect(page.getByText(line, { exact: true })).toBeVisible();
  expect(faults).toEqual([]);
  await desk.close();
});

test("what another administrator wrote of a group meanwhile is not overwritten; a collection that they deleted is said to be gone (issue 17: two windows)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const vera = await desk.person("vera", "Vera Lindqvist", ["superuser-access"]);
  await vera.server.post("/api/groups", { name: "curators", description: "Check drafts" });
  const ice = { slug: "ice", title: "Ice", query: "ice", group: "curators" };
  expect((await vera.server.post("/api/collections", ice)).status).toBe(201);
  const { page, go, faults } = await openSeat(browser, desk, boss, "server", "/administration/groups");
  const dialog = page.getByRole("dialog");

  await page.getByRole("button", { name: "Describe curators" }).click();
  await dialog.getByRole("textbox", { name: "Description" }).fill("Boss was here");
  expect((await vera.server.put("/api/groups/curators", { description: "Vera was here" })).status).toBe(200);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Somebody else changed this group after you opened it.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Vera was here")).toBeVisible();

  await go("/administration/collections");
  await page.getByRole("button", { name: "Delete Ice" }).click();
  expect((await vera.server.delete("/api/collections/ice")).status).toBe(204);
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("This entry is gone")).toBeVisible();
  expect(faults).toEqual([]);
  await desk.close();
});

test("somebody without access any more has a number in conversations, and it reads as one (issue 17: deactivated users)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paula = await desk.person("paula", "Paula Reviewer");
  const draft = `/api/records/${await givenDraft(karin.server, withoutFiles)}/draft`;
  const { id } = (await karin.server.put(`${draft}/review`, { receiver: { user: paula.id } })).body;
  await karin.server.post(`${draft}/actions/submit-review`);
  const comment = { payload: { content: "<p>Which cell?</p>", format: "html" } };
  expect((await paula.server.post(`/api/requests/${id}/comments`, comment)).status).toBe(201);
  expect((await boss.server.post(`/api/administration/people/${paula.id}/actions/deactivate`)).status).toBe(200);
  const { page, go, faults } = await openSeat(browser, desk, karin, "server", `/me/requests/${id}`);
  const unnamed = `Someone (no. ${paula.id})`;
  await expect(page.getByText(`Karin Lindqvist asks ${unnamed} to review this and publish it.`)).toBeVisible();
  await expect(page.getByRole("main").getByText(unnamed, { exact: true }).first()).toBeVisible();
  await go(`/people/${paula.id}`);
  await expect(page.getByText("or nobody has this number.", { exact: false })).toBeVisible();
  await expect(page.getByText("can still be managed")).toHaveCount(0);
  expect(faults.filter((fault) => !/403/.test(fault))).toEqual([]);
  await desk.close();
});

test("a list that is cut says so, and a deleted record without a page is no link (issue 17: long lists, moderation)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const id = await givenDraft(boss.server, withoutFiles);
  await publish(boss.server, id);
  const why = { removal_reason: { id: "spam" }, is_visible: false };
  expect((await boss.server.delete(`/api/records/${id}/delete`, why)).status).toBe(204);
  const job = { kind: "mail-given-up", run_at: desk.server.host.now(), attempts: 12, claimed_until: null };
  const payload = JSON.stringify({ account: "changed", userId: boss.id });
  const jobs = Array.from({ length: 301 }, (_, n) => ({
    id: `m${n}`,
    ...job,
    payload,
    last_error: "550 no such user",
  }));
  await desk.server.host.db.insertInto("job").values(jobs).execute();
  const { page, go, faults } = await openSeat(browser, desk, boss, "server", "/administration/records");
  await expect(page.getByText("its address leads nowhere")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: metadata.title })).toHaveCount(0);
  await go("/administration/mail");
  await expect(page.getByText("300 of 301. The others appear as these are done.")).toBeVisible();
  expect(faults).toEqual([]);
  await desk.close();
});

test("a refused value is named where no field shows it, and on a phone the words of a group are not squeezed (issue 17: invitations, 390 px)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const karin = await desk.person("karin", "Karin Lindqvist");
  await boss.server.post("/api/invitations", { email: "noor@example.org", roles: [] });
  const { db } = desk.server.host;
  await db.updateTable("user").set({ email: "noor@example.org" }).where("id", "=", karin.id).execute();
  const { page, go, faults } = await openSeat(browser, desk, boss, "server", "/administration/people");
  await page.getByRole("button", { name: "Send again to noor@example.org" }).click();
  await expect(page.getByText("The email 'noor@example.org' is in use already.")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await go("/administration/groups");
  const words = page.getByText("Manages groups and previews every draft and record");
  await expect(words).toBeVisible();
  expect(await linesOf(words)).toBeLessThan(4);
  expect(faults.filter((fault) => !/400/.test(fault))).toEqual([]);
  await desk.close();
});

test("a typed quota stays while another administrator sets one, and an invitation names its role (issue 17: two windows)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const vera = await desk.person("vera", "Vera Lindqvist", ["superuser-access"]);
  const karin = await desk.person("karin", "Karin Lindqvist");
  await boss.server.post("/api/invitations", { email: "noor@example.org", roles: ["superuser-access"] });
  const { page, go, faults } = await openSeat(browser, desk, boss, "server", "/administration/people");
  await expect(page.getByText(/^Superuser · works until/)).toBeVisible();
  await go(`/people/${karin.id}`);
  const quota = page.getByRole("textbox", { name: "Quota in GB" });
  await quota.fill("5");
  const three = { quota_bytes: 3_000_000_000 };
  expect((await vera.server.put(`/api/administration/people/${karin.id}/quota`, three)).status).toBe(200);
  // Reads the person again.
  await page.getByRole("button", { name: "Send a link for a new password" }).click();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("0 bytes of 3 GB")).toBeVisible();
  await expect(quota).toHaveValue("5");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("0 bytes of 5 GB")).toBeVisible();
  await page.getByRole("button", { name: "Use the default quota" }).click();
  await expect(quota).toHaveValue("200");
  expect(faults).toEqual([]);
  await desk.close();
});

test("a full disk is said to be full, and one that fills to be nearly full (issue 17: The disk is nearly full)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const boss = await desk.person("boss", "Bo Ng", ["superuser-access"]);
  const { page, go, faults } = await openSeat(browser, desk, boss, "server");
  let free = 40_000_000;
  let holdsFiles = true;
  await page.route("**/api/administration/overview", async (route) => {
    const answer = await (await route.fetch()).json();
    const attention = [{ kind: "disk_nearly_full", count: 1, is_quiet: false }];
    const storage = { ...answer.storage, free_bytes: free, holds_files: holdsFiles };
    await route.fulfill({ json: { ...answer, storage, attention } });
  });
  await go("/administration");
  await expect(page.getByRole("link", { name: /^The disk is nearly full/ })).toBeVisible();
  free = 0;
  await page.reload();
  await expect(page.getByRole("link", { name: /^The disk is full Nothing can be saved until/ })).toBeVisible();
  // What is in a bucket is no part of that disk.
  await go("/administration/storage");
  await expect(page.getByText("Files of people", { exact: true })).toBeVisible();
  holdsFiles = false;
  await page.reload();
  await expect(page.getByText("Files of people, in a bucket", { exact: true })).toBeVisible();
  await expect(page.getByText("Files of people", { exact: true })).toHaveCount(0);
  expect(faults).toEqual([]);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await desk.close();
});
