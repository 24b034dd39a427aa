import { expect, test } from "@playwright/test";
import { givenDraft, metadata, publish, withoutFiles } from "../support/records.ts";
import { Desk } from "./desk.ts";
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
  await expect(page.getByText(/is public again/)).toBeVisible();
  await expect(restore).toHaveCount(25);
  expect(faults).toEqual([]);
  await desk.close();
});
