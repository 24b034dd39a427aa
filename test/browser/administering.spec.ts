import { expect, test } from "@playwright/test";
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
