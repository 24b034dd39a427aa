import { expect, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { givenSample } from "./samples.ts";

test("a reviewer comments without a network, then accepts with one: the draft is a record", async ({ browser }) => {
  test.setTimeout(90_000);
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const [hers, his] = [await desk.replica(karin), await desk.replica(paolo)];
  const id = await givenSample(karin.server, 0, { isPublished: false });
  const author = await openWindow(browser, hers);

  await test.step("the author asks for a review", async () => {
    await author.page.goto(`${hers.url}/uploads/${id}`);
    await author.page.getByRole("button", { name: "Submit for review" }).click();
    await author.page.getByRole("combobox", { name: "Reviewer" }).fill("Paolo");
    await author.page.getByRole("option", { name: /Paolo Marchetti/ }).click();
    await author.page
      .getByRole("dialog")
      .getByRole("textbox", { name: "A word to the reviewer" })
      .fill("Please check the units.");
    await author.page.getByRole("dialog").getByRole("button", { name: "Submit for review" }).click();
    await author.page.waitForURL(/\/me\/requests\//);
    await expect(author.page.getByText("Please check the units.")).toBeVisible();
  });
  const request = new URL(author.page.url()).pathname;
  const { page, faults } = await openWindow(browser, his);

  await test.step("the reviewer comments offline: it is shown, and said to wait", async () => {
    await page.goto(his.url + request);
    await expect(page.getByText("Please check the units.")).toBeVisible();
    desk.proxy.cut();
    await expect(page.getByRole("button", { name: /Offline/ })).toBeVisible({ timeout: 20_000 });
    await page.getByRole("textbox", { name: "Comment" }).fill("The units are right.");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await expect(page.getByRole("article").filter({ hasText: "The units are right." })).toContainText(
      "Waiting to send",
    );
  });

  await test.step("online again it is sent, and the author sees it without a reload", async () => {
    desk.proxy.mend();
    await page.getByRole("button", { name: /Offline/ }).click();
    await page.getByRole("button", { name: "Sync now" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await expect(page.getByText("Waiting to send")).toHaveCount(0, { timeout: 15_000 });
    await expect(author.page.getByText("The units are right.")).toBeVisible({ timeout: 40_000 });
  });

  await test.step("accepting publishes", async () => {
    await page.getByRole("button", { name: "Accept and publish" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Accept and publish" }).click();
    await expect(page.getByText("Paolo Marchetti accepted the request")).toBeVisible();
    expect((await paolo.server.get(`/api/records/${id}`)).body.is_published).toBe(true);
    await expect(author.page.getByText("Paolo Marchetti accepted the request")).toBeVisible({ timeout: 20_000 });
  });
  expect([...faults, ...author.faults]).toEqual([]);
  await desk.close();
});
