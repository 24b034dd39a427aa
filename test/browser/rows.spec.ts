import { expect, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

const works = ["Storm surges", "Kelp forests of the north", "Urchins", "Ice in the fjord"];
let desk: Desk;
let replica: RunningReplica;

test.beforeAll(async () => {
  desk = await Desk.open();
  replica = await desk.replica(await desk.person("karin", "Karin Lindqvist"));
  const near = new HttpClient(replica.url, replica.guard.secret);
  for (const title of works)
    await near.post("/api/records", {
      files: { enabled: false },
      metadata: {
        title,
        publication_date: "2010",
        creators: [{ person_or_org: { type: "personal", family_name: "Okonkwo", given_name: "Adaeze" } }],
      },
    });
});
test.afterAll(() => desk.close());

test("rows are 36 or 28 px high, columns are chosen, and a state stands only where it says something (app M4, 17.7)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  const row = page.getByRole("link", { name: /^Kelp/ });
  const heightPx = async () => Math.round((await row.boundingBox())?.height ?? 0);
  await expect.poll(heightPx).toBe(36);
  await expect(page.getByRole("main").getByText("On the server")).toHaveCount(0);
  // By keys alone: Creators goes, Publication date comes.
  await page.getByRole("button", { name: "Columns" }).press("Enter");
  const column = (name: string) => page.getByRole("menuitemcheckbox", { name });
  await expect(column("Creators")).toBeFocused();
  // Space keeps the menu open; Enter would close it.
  await page.keyboard.press("Space");
  await expect(column("Creators")).toHaveAttribute("aria-checked", "false");
  for (const name of ["Type", "Publication date"]) {
    await page.keyboard.press("ArrowDown");
    await expect(column(name)).toBeFocused();
  }
  await page.keyboard.press("Space");
  await expect(column("Publication date")).toHaveAttribute("aria-checked", "true");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Columns" })).toBeFocused();
  await expect(row).not.toContainText("Okonkwo");
  await expect(row).toContainText("2010");
  await page.evaluate(`localStorage.setItem("carrel.density", "compact")`);
  await page.reload();
  await expect.poll(heightPx).toBe(28);
  await expect(row).toContainText("2010");
  expect(faults).toEqual([]);
  await context.close();
});

test("the preview stands beside the list, j and k move it, Escape leads back to the row (app M4, app L: peek)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  const links = page.getByRole("list", { name: "Records" }).getByRole("link");
  await expect(links).toHaveCount(works.length);
  await links.nth(2).focus();
  await page.keyboard.press("Space");
  const peek = page.getByRole("complementary", { name: "Preview" });
  const titleOf = async (index: number) => (await links.nth(index).innerText()).split("\n")[0] ?? "";
  await expect(peek.getByRole("heading", { level: 2 })).toHaveText(await titleOf(2));
  await page.keyboard.press("j");
  await expect(links.nth(3)).toBeFocused();
  await expect(peek.getByRole("heading", { level: 2 })).toHaveText(await titleOf(3));
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await expect(peek.getByRole("heading", { level: 2 })).toHaveText(await titleOf(1));
  await peek.getByRole("button", { name: "Open" }).focus();
  await page.keyboard.press("Escape");
  await expect(peek).toBeHidden();
  await expect(links.nth(1)).toBeFocused();
  expect(faults).toEqual([]);
  await context.close();
});
