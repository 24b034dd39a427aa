import { expect, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { takePicture } from "./picture.ts";
import { givenSample } from "./samples.ts";

test("views and downloads are a chart that is a table, on the record page and for one's own records (app, missing 12)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const uma = await desk.person("uma", "Uma Berg");
  const id = await givenSample(uma.server, 0);
  const replica = await desk.replica(uma);
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  const stats = (views: number, downloads: number) => ({ views, unique_views: views, downloads, data_volume: 0 });
  // Counts reach a replica minutes later: here the host's answers get them at once.
  await page.route(/\/api\/(records|user\/records)[/?]/, async (route) => {
    const answer = await route.fetch();
    if (!(answer.headers()["content-type"] ?? "").includes("json")) return route.fulfill({ response: answer });
    const body = await answer.json();
    for (const one of body.hits?.hits ?? []) one.stats = { this_version: stats(30, 12), all_versions: stats(30, 12) };
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto(`${replica.url}/records/${id}`);
  const onPage = page.getByRole("table", { name: "Views and downloads" });
  await expect(onPage.getByRole("row").nth(1)).toContainText("30");
  await expect(onPage.getByRole("row").nth(1)).toContainText("12");
  await expect(onPage.locator("rect").first()).toHaveAttribute("width", "100");
  await takePicture(page, "record-usage");
  await page.goto(`${replica.url}/me/uploads`);
  await page.getByRole("button", { name: "Views and downloads" }).click();
  const dialog = page.getByRole("dialog", { name: "Views and downloads of your records" });
  await expect(dialog).toContainText("1 record: 30 views, 12 downloads");
  await expect(dialog.getByRole("row")).toHaveCount(2);
  await takePicture(page, "library-usage");

  // A list that is cut says so, and one that cannot be read says why (issue 17: usage).
  const close = dialog.getByRole("button", { name: "Close", exact: true });
  const open = page.getByRole("button", { name: "Views and downloads" });
  await close.click();
  await page.route(/sort=mostviewed/, async (route) => {
    const body = await (await route.fetch()).json();
    const [one] = body.hits.hits;
    const hits = Array.from({ length: 12 }, (_, n) => ({ ...one, id: `${n}`, stats: { all_versions: stats(30, 12) } }));
    await route.fulfill({ json: { ...body, hits: { ...body.hits, hits, total: 250 } } });
  });
  await page.reload();
  await open.click();
  await expect(dialog.getByRole("row")).toHaveCount(13);
  await expect(dialog).toContainText("These are the 12 most viewed of 250 records.");
  await page.unroute(/sort=mostviewed/);
  await page.route(/sort=mostviewed/, (route) => route.fulfill({ status: 503, json: { message: "Not now." } }));
  await page.reload();
  await open.click();
  await expect(dialog).toContainText("Not now.");
  await page.unroute(/sort=mostviewed/);
  await dialog.getByRole("button", { name: "Try again" }).click();
  await dialog.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/records/${id}`));
  expect(faults).toEqual([]);
  // The page may be asking at this moment, and its answer is gone with the window.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
  await desk.close();
});
