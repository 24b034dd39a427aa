import { expect, test } from "@playwright/test";
import { Desk, openWindow } from "./desk.ts";
import { comment, commentWith, words } from "./reviewing.ts";
import { givenSample, smallZip } from "./samples.ts";

test("a reviewer requests changes, is not offered to delete the author's comment, and keeps the way back from a ZIP (app L)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const draft = await givenSample(karin.server, 0, { isPublished: false, zip: await smallZip() });
  const path = `/api/records/${draft}/draft`;
  const { id } = (await karin.server.put(`${path}/review`, { receiver: { user: paolo.id } })).body;
  await karin.server.post(`${path}/actions/submit-review`, words("Please look at the units."));
  const his = await desk.replica(paolo);
  const { page, faults } = await openWindow(browser, his);

  await page.goto(`${his.url}/me/requests/${id}`);
  await comment(page).fill("Mine.");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(commentWith(page, "Mine.")).toBeVisible();
  for (const [text, offered] of [["Please look at the units.", 0] as const, ["Mine.", 1] as const]) {
    await commentWith(page, text)
      .getByRole("button", { name: /More for the comment/ })
      .click();
    await expect(page.getByRole("menuitem", { name: "Copy link" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: "Delete" })).toHaveCount(offered);
    await page.keyboard.press("Escape");
  }

  await page.getByRole("tab", { name: "Files" }).click();
  await page
    .getByRole("link", { name: /\.zip$/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`review=${id}`));
  const trail = page.getByRole("navigation").getByRole("link", { name: "Requests" });
  await expect(trail.first()).toBeVisible();
  await page.locator(`a[href="/me/requests/${id}"]`).click();

  await page.getByRole("button", { name: "Request changes" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Say which units.");
  await page.getByRole("dialog").getByRole("button", { name: "Request changes" }).click();
  await expect(page.getByText("Changes requested by Paolo Marchetti")).toBeVisible();
  await expect(page.getByRole("button", { name: "Accept and publish" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Request changes" })).toHaveCount(0);
  expect(faults).toEqual([]);
  await desk.close();
});
