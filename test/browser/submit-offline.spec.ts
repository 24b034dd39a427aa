import { expect, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePictures } from "./picture.ts";
import { givenSample } from "./samples.ts";

test("a review that was requested offline is not offered again, and can be withdrawn (issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const paolo = await desk.person("paolo", "Paolo Marchetti");
  const id = await givenSample(karin.server, 3, { isPublished: false });
  const replica = await desk.replica(karin);
  const near = new HttpClient(replica.url, replica.guard.secret);
  const path = `/api/records/${id}/draft`;
  await expect.poll(async () => (await near.get(path)).status).toBe(200);
  // From then on, the reviewer is known here.
  await expect.poll(async () => (await near.get(`/api/users/${paolo.id}`)).status).toBe(200);
  await near.post("/api/sync/pause");
  const review = await near.put(`${path}/review`, { receiver: { user: paolo.id } });
  expect(review.status, review.text).toBe(202);
  expect((await near.post(`${path}/actions/submit-review`)).status).toBe(202);
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  const submit = page.getByRole("button", { name: "Submit for review" });
  const publish = page.getByRole("button", { name: "Publish", exact: true });
  const notice = page.getByText("Your submission will be sent when the server can be reached.");

  await test.step("on the page of the draft", async () => {
    await expect(page.getByRole("link", { name: "Waiting to be submitted" })).toBeVisible();
    await expect(page.getByText("The review is requested when the draft reaches the server.")).toBeVisible();
    await expect(submit).toHaveCount(0);
    await expect(publish).toHaveCount(0);
    await takePictures(page, "draft-submitted-offline");
  });

  await test.step("on the page of the request", async () => {
    await page.getByRole("link", { name: "Waiting to be submitted" }).click();
    await expect(page).toHaveURL(`${replica.url}/me/requests/${review.body.id}`);
    await expect(notice).toBeVisible();
    await expect(page.getByRole("button", { name: "Withdraw" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel request" })).toHaveCount(0);
    await expect(submit).toHaveCount(0);
    await takePictures(page, "request-submitted-offline");
    await page.getByRole("button", { name: "Withdraw" }).click();
    await expect(submit).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel request" })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });

  await test.step("and requested again, it reaches the reviewer once", async () => {
    await submit.click();
    await page.getByRole("dialog").getByRole("button", { name: "Submit for review" }).click();
    await expect(notice).toBeVisible();
    await near.post("/api/sync/resume");
    await expect(page.getByText("In review")).toBeVisible();
    expect((await paolo.server.get("/api/requests")).body.hits.hits).toMatchObject([{ status: "submitted" }]);
  });
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
