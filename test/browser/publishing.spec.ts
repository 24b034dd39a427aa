import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";

const metadata = {
  title: "Deep sea core",
  publication_date: "2024",
  resource_type: { id: "dataset" },
  creators: [{ person_or_org: { type: "personal", family_name: "Lovelace", given_name: "Ada" } }],
};

async function givenDraft(host: RunningReplica): Promise<string> {
  const near = new HttpClient(host.url, host.guard.secret);
  const { status, body } = await near.post("/api/records", { metadata, files: { enabled: false } });
  expect(status).toBe(201);
  await expect.poll(async () => (await near.get("/api/sync/status")).body.state).toBe("up_to_date");
  return body.id;
}

async function openDialog(page: Page) {
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Publish this draft?" });
  await expect(dialog).toBeVisible();
  return dialog;
}

test("the dialog names the DOI that publishing gives, asks for its publisher, and the record shows it (app H3)", async ({
  browser,
}) => {
  const desk = await Desk.open({ doi_mint: "on_publish" });
  const host = await desk.replica(await desk.person("ada", "Ada Lovelace"));
  const id = await givenDraft(host);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const dialog = await openDialog(page);
  await expect(dialog.getByText(`10.5072/${id}`)).toBeVisible();
  const publish = dialog.getByRole("button", { name: "Publish" });
  await expect(publish).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Publisher" }).fill("Institute of the Deep Sea");
  await publish.click();
  await expect(page.getByRole("link", { name: `10.5072/${id}`, exact: true })).toHaveAttribute(
    "href",
    `https://doi.org/10.5072/${id}`,
  );
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("the dialog says that a record gets no DOI, and reserves one (app H3)", async ({ browser }) => {
  const desk = await Desk.open();
  const host = await desk.replica(await desk.person("ada", "Ada Lovelace"));
  const id = await givenDraft(host);
  const { page, context, faults } = await openWindow(browser, host, { path: `/uploads/${id}` });
  const dialog = await openDialog(page);
  await expect(dialog.getByText("Without a DOI, the record can be cited only by its address here.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Publish" })).toBeEnabled();
  await dialog.getByRole("button", { name: "Reserve a DOI" }).click();
  await expect(dialog.getByText(`10.5072/${id}`)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Publisher" }).fill("Institute of the Deep Sea");
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("link", { name: `10.5072/${id}`, exact: true })).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
