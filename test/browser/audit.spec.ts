import { expect, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { takePicture, takePictures } from "./picture.ts";

test("an administrator reads and filters the audit log; a moderator does not (security 12)", async ({ browser }) => {
  const desk = await Desk.open();
  const ada = await desk.person("ada", "Ada Mohr", ["superuser-access"]);
  const ruth = await desk.person("ruth", "Ruth Okafor", ["administration-moderation"]);
  await ruth.server.post("/api/groups", { name: "curators" });
  await ruth.server.delete("/api/groups/admin");
  const replica = await desk.replica(ada);
  const { page, faults } = await openWindow(browser, replica);
  await page.goto(`${replica.url}/administration/audit`);
  const rows = page.getByRole("region", { name: "Audit log" }).getByRole("row");
  await expect(rows.filter({ hasText: "Create a group" })).toContainText("curators");
  await takePictures(page, "audit-audit");
  await page.getByRole("searchbox", { name: "Search the log" }).fill("curators");
  await expect(rows).toHaveCount(2);
  await page.getByRole("searchbox", { name: "Search the log" }).fill("");
  await expect(rows.filter({ hasText: "Create a group" })).toBeVisible();

  // The log is read again when it is shown again (issue 17: audit log).
  const part = (name: string) =>
    page.getByRole("navigation", { name: "Parts of the administration" }).getByRole("link", { name });
  await part("Storage").click();
  await expect(page.getByRole("heading", { name: "Storage" })).toBeVisible();
  await ruth.server.post("/api/groups", { name: "night-shift" });
  await part("Audit log").click();
  await expect(rows.filter({ hasText: "Create a group" }).first()).toContainText("night-shift");
  await expect(page.getByText(/^These are the newest/)).toHaveCount(0);
  // The server counts 10,000; the page says that there may be more (issue 17: audit log, long lists).
  await page.route("**/api/audit-logs?*", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, hits: { ...answer.hits, total: 10_000 } } });
  });
  await page.reload();
  await expect(page.getByText(/^These are the newest 10,000. For older ones, search/)).toBeVisible();
  await page.unroute("**/api/audit-logs?*");
  await page.getByRole("button", { name: /Outcome/ }).click();
  await page.getByRole("option", { name: "Refused" }).click();
  await expect(rows.filter({ hasText: "Refused (403)" })).toContainText("Delete a group");
  // The filters are in the address: a reload and the way back keep them (issue 17: audit log).
  await page.getByRole("searchbox", { name: "Search the log" }).fill("admin");
  await expect(page).toHaveURL(/\/administration\/audit\?outcome=refused&q=admin$/);
  const shown = async () => {
    await expect(page.getByRole("searchbox", { name: "Search the log" })).toHaveValue("admin");
    await expect(page.getByRole("button", { name: /Outcome/ })).toContainText("Refused");
    await expect(rows.filter({ hasText: "Refused (403)" })).toContainText("Delete a group");
    await expect(part("Audit log"), "the open part is marked, whatever it is filtered by").toHaveAttribute(
      "aria-current",
      "page",
    );
  };
  await page.reload();
  await shown();
  await part("Storage").click();
  await expect(page.getByRole("heading", { name: "Storage" })).toBeVisible();
  await page.goBack();
  await shown();
  await part("Audit log").click();
  await expect(page.getByRole("searchbox", { name: "Search the log" })).toHaveValue("");
  await expect(rows.filter({ hasText: "Create a group" }).first()).toBeVisible();
  await page.goBack();
  await shown();
  await page.getByRole("searchbox", { name: "Search the log" }).fill("");
  await expect(page).toHaveURL(/\/administration\/audit\?outcome=refused$/);
  // The log of some days only, both included (issue 17: audit log).
  const day = (offset: number) =>
    page.evaluate((days) => {
      const then = new Date(Date.now() + days * 86_400_000);
      const pad = (part: number) => String(part).padStart(2, "0");
      return `${then.getFullYear()}-${pad(then.getMonth() + 1)}-${pad(then.getDate())}`;
    }, offset);
  await page.getByLabel("From", { exact: true }).fill(await day(0));
  await page.getByLabel("Until", { exact: true }).fill(await day(0));
  await expect(rows.filter({ hasText: "Refused (403)" })).toBeVisible();
  await page.getByLabel("Until", { exact: true }).fill(await day(-1));
  await expect(page.getByText("Nothing in the log matches these filters.")).toBeVisible();
  await page.getByLabel("From", { exact: true }).fill(await day(-1));
  await expect(page.getByText("Nothing in the log matches these filters.")).toBeVisible();
  await page.getByLabel("Until", { exact: true }).fill("");
  await expect(rows.filter({ hasText: "Refused (403)" })).toBeVisible();
  // One digit too many makes no year of five digits, which is no date to the server.
  const from = page.getByLabel("From", { exact: true });
  await from.focus();
  await page.keyboard.type("010120266");
  await expect(from).toHaveValue(/^\d{4}-01-01$/);
  await expect(page.getByText("This could not be loaded")).toHaveCount(0);
  expect(faults).toEqual([]);

  // In German too every column is in sight on a laptop, and the objects have German names (administration day: German).
  await page.evaluate(() => localStorage.setItem("carrel.language", "de"));
  await page.reload();
  const table = page.getByRole("region", { name: "Protokoll" });
  await expect(table.getByRole("row").filter({ hasText: "Gruppe löschen" })).toContainText(
    /Gruppe admin.*Abgelehnt \(403\)/,
  );
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await takePicture(page, "audit-german");
  expect(faults).toEqual([]);

  const other = await desk.replica(ruth);
  const { page: second } = await openWindow(browser, other);
  await second.goto(`${other.url}/administration/audit`);
  await expect(second.getByText("For administrators")).toBeVisible();
  await expect(
    second.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Administration" }),
  ).toHaveCount(0);
  await desk.close();
});
