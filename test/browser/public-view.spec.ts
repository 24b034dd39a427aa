import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePictures } from "./picture.ts";

let desk: Desk;
let replica: RunningReplica;
let near: HttpClient;

test.beforeAll(async () => {
  desk = await Desk.open();
  replica = await desk.replica(await desk.person("karin", "Karin Lindqvist"));
  near = new HttpClient(replica.url, replica.guard.secret);
});
test.afterAll(() => desk.close());

const metadata = {
  title: "Ice in the fjord",
  resource_type: { id: "dataset" },
  publication_date: "2024",
  publisher: "Institute",
  description: "<p>Measured by drifting buoys.</p>",
  creators: [{ person_or_org: { type: "personal", family_name: "Lindqvist", given_name: "Karin" } }],
};
const newDraft = async (files: object = { enabled: false }): Promise<string> =>
  (await near.post("/api/records", { files, metadata })).body.id;
const main = (page: Page) => page.getByRole("main");

test("the draft is shown as the public will see it, also offline, and with what was typed last (app, missing 8)", async ({
  browser,
}) => {
  const id = await newDraft();
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  desk.proxy.cut();
  await page.getByRole("textbox", { name: "Title" }).fill("Ice in the long fjord");
  await page.getByRole("button", { name: "See it as the public will" }).click();
  await expect(main(page).getByRole("heading", { level: 1, name: "Ice in the long fjord" })).toBeVisible();
  await expect(page.getByText("Measured by drifting buoys.")).toBeVisible();
  await expect(page.getByText(/^Lindqvist, K\. \(2024\)\. Ice in the long fjord\./)).toBeVisible();
  await expect(page.getByRole("button", { name: "Edit", exact: true })).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("This is how the public will see it.")).toBeVisible();
  await page.getByRole("button", { name: "Back to the draft" }).click();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Ice in the long fjord");
  desk.proxy.mend();
  expect(faults).toEqual([]);
  await context.close();
});

test("the preview says what the public cannot see (app, missing 8)", async ({ browser }) => {
  const id = await newDraft();
  const access = { record: "restricted", files: "restricted" };
  expect((await near.put(`/api/records/${id}/draft`, { metadata: {}, access, files: { enabled: false } })).status).toBe(
    200,
  );
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}/preview` });
  await expect(page.getByText(/the public sees none of this/)).toBeVisible();
  await expect(page.getByText(/4 required fields are empty/)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test("the preview and the record's page say until when the files are under embargo, and why (issue 17)", async ({
  browser,
}) => {
  const embargo = { active: true, until: "2099-01-01", reason: "A patent is pending." };
  const access = { record: "public", files: "restricted", embargo };
  const id: string = (await near.post("/api/records", { files: { enabled: false }, metadata, access })).body.id;
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}/preview` });
  const why = main(page).getByText("Embargoed until 1 Jan 2099. Reason: A patent is pending.");
  await expect(why).toBeVisible();
  expect((await near.post(`/api/records/${id}/draft/actions/publish`)).status).toBe(202);
  await page.goto(`${replica.url}/records/${id}`);
  await expect(why).toBeVisible();
  await takePictures(page, "public-view-embargo");
  expect(faults).toEqual([]);
  await context.close();
});

test("publishing ends on the record's page with its address, link, citation and share, once (app, look)", async ({
  browser,
}) => {
  const id = await newDraft();
  expect((await near.post(`/api/records/${id}/draft/pids/doi`)).status).toBe(201);
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
  const card = page.getByRole("region", { name: "Published" });
  await expect(card.getByRole("link")).toHaveText(/^https:\/\/doi\.org\/10\./);
  await card.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^https:\/\/doi\.org\/10\./);
  await card.getByRole("button", { name: "Copy citation" }).click();
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toMatch(/^Lindqvist, K\./);
  await expect(card.getByRole("button", { name: "Share" })).toBeVisible();
  await page.reload();
  await expect(main(page).getByRole("heading", { level: 1, name: "Ice in the fjord" })).toBeVisible();
  await expect(card).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});

test("without a DOI, the link to a published record is the server's, as in its citation (issue 17)", async ({
  browser,
}) => {
  const id = await newDraft();
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${id}` });
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
  const card = page.getByRole("region", { name: "Published" });
  await expect(card.getByRole("link")).toHaveText(`${desk.proxy.url}/records/${id}`);
  await expect(card).not.toContainText(replica.url);
  expect(faults).toEqual([]);
  await context.close();
});
