import { expect, type Page, test } from "@playwright/test";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { keepMessages } from "./keep-messages.ts";

let desk: Desk;

test.beforeAll(async () => {
  desk = await Desk.open();
});
test.afterAll(async () => {
  await desk.close();
});

const metadata = {
  title: "Plankton counts, station 4",
  resource_type: { id: "dataset" },
  creators: [{ person_or_org: { type: "personal", family_name: "Okonkwo", given_name: "Adaeze" } }],
  subjects: [{ subject: "plankton" }],
  publication_date: "2019-01-01",
  version: "3.1",
  identifiers: [{ identifier: "10.1234/own", scheme: "doi" }],
};

const startFrom = async (page: Page) => {
  await page.getByRole("button", { name: "Other ways to begin a draft" }).click();
  await page.getByRole("menuitem", { name: "Start from a template or record" }).click();
  return page.getByRole("dialog", { name: "Start from a template or record" });
};

test("a draft is kept as a template; new drafts start from it or from an own record, offline, without identifiers and files (app, missing 7)", async ({
  browser,
}) => {
  const person = await desk.person("tess", "Tess Adeyemi");
  const replica = await desk.replica(person);
  const near = new HttpClient(replica.url, replica.guard.secret);
  desk.proxy.cut();
  const custom_fields = { "journal:journal": { title: "Deep-Sea Letters" } };
  const access = { record: "restricted", files: "restricted" };
  const made = await near.post("/api/records", { metadata, custom_fields, access, files: { enabled: true } });
  const { page, context, faults } = await openWindow(browser, replica, { path: `/uploads/${made.body.id}` });
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Keep as template" }).click();
  await page.getByRole("textbox", { name: "Name of the template" }).fill("Counts");
  await keepMessages(page);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Template kept")).toBeVisible();

  await test.step("a name that is taken is told, and not given twice (issue 17)", async () => {
    await page.getByRole("button", { name: "More for this draft" }).click();
    await page.getByRole("menuitem", { name: "Keep as template" }).click();
    await page.getByRole("textbox", { name: "Name of the template" }).fill("Counts ");
    await expect(page.getByText("You gave this name already.")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  await page.goto(`${replica.url}/me/uploads`);
  await (await startFrom(page)).getByRole("button", { name: /^Counts/ }).click();
  await expect(page).toHaveURL(/uploads/);
  // The journal has a title too, once its section is there.
  await expect(page.getByRole("textbox", { name: "Title" }).first()).toHaveValue(metadata.title);
  const [id = ""] = /[^/]+$/.exec(new URL(page.url()).pathname) ?? [];
  expect(id).not.toBe(made.body.id);
  const { body } = await near.get(`/api/records/${id}/draft`);
  expect(body.custom_fields).toMatchObject(custom_fields);
  expect(body.access).toMatchObject(access);
  expect(body.metadata).toMatchObject({ title: metadata.title, subjects: metadata.subjects });
  expect(body.metadata.creators[0].person_or_org).toMatchObject({ family_name: "Okonkwo" });
  expect(body.metadata).not.toHaveProperty("identifiers");
  expect(body.metadata).not.toHaveProperty("version");
  expect(body.metadata.publication_date).not.toBe(metadata.publication_date);

  // From one of the user's own works, found by its words.
  await page.goto(`${replica.url}/me/uploads`);
  const dialog = await startFrom(page);
  await dialog.getByRole("searchbox").fill("plank");
  const works = dialog.getByRole("region", { name: "Your records and drafts" });
  await expect(works.getByRole("button")).toHaveCount(2);
  await works.getByRole("button").first().click();
  await expect(page.getByRole("textbox", { name: "Title" }).first()).toHaveValue(metadata.title);

  await page.goto(`${replica.url}/settings/drafts`);
  const list = page.getByRole("region", { name: "Templates" });
  await list.getByRole("button", { name: "Rename Counts" }).click();
  await page.getByRole("textbox", { name: "Name of the template" }).fill("Station counts");
  await page.keyboard.press("Enter");
  await list.getByRole("button", { name: "Remove Station counts" }).click();
  await page.getByRole("button", { name: "Remove template" }).click();
  await expect(list.getByText("No templates yet.")).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});
