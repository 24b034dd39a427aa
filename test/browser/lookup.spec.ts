import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { openLookupServices } from "../support/lookup-services.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePicture } from "./picture.ts";

let services: Awaited<ReturnType<typeof openLookupServices>>;
let desk: Desk;
let replica: RunningReplica;

test.beforeAll(async () => {
  services = await openLookupServices();
  desk = await Desk.open({ lookup: services.settings });
  replica = await desk.replica(await desk.person("lia", "Lia Moreau"));
});
test.afterAll(async () => {
  await desk.close();
  services.close();
});

const openDraft = async (page: Page) => {
  const near = new HttpClient(replica.url, replica.guard.secret);
  const { id } = (await near.post("/api/records", { metadata: {}, files: { enabled: false } })).body;
  await page.goto(`${replica.url}/uploads/${id}`);
};
const choose = async (page: Page, box: string, text: string, option: RegExp) => {
  await page.getByRole("combobox", { name: box }).fill(text);
  await page.getByRole("option", { name: option }).click();
};

test("a DOI fills in a citation, an ORCID iD a person, a ROR id institutions and funders, through the server (app M22, missing 1)", async ({
  browser,
}) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  await openDraft(page);
  await page.getByRole("button", { name: "More for this draft" }).click();
  await page.getByRole("menuitem", { name: "Fill in from a citation" }).click();
  const citation = page.getByRole("dialog", { name: "Fill in from a citation" });
  await citation.getByRole("textbox", { name: "Citation" }).fill("10.5072/known");
  await citation.getByRole("button", { name: "Fill in from DOI" }).click();
  await expect(citation.getByRole("checkbox", { name: "Title Kelp" })).toBeVisible();
  await takePicture(page, "lookup-doi");
  await citation.getByRole("button", { name: /^Fill in \d+ fields/ }).click();
  await expect(page.locator('[id="field-metadata.title"]').getByRole("textbox")).toHaveValue("Kelp");

  await page.getByRole("button", { name: "Add a person" }).filter({ visible: true }).click();
  const person = page.getByRole("dialog");
  await person.getByRole("textbox", { name: "ORCID" }).fill("https://orcid.org/0000-0002-1825-0097");
  await person.getByRole("button", { name: "Fill in from ORCID" }).click();
  await expect(person.getByRole("combobox", { name: "Family name" })).toHaveValue("Carberry");
  // The vocabulary has this institution, so its id is stored.
  await choose(page, "Affiliations", "https://ror.org/01ggx4157", /European Organization for Nuclear Research/);
  // Only the look-up service has this institution.
  await choose(page, "Affiliations", "05gq02987", /Brown University/);
  await takePicture(page, "lookup-person");
  await person.getByRole("button", { name: "Done" }).last().click();
  const people = page.getByRole("region", { name: "People" });
  await expect(people).toContainText("Brown · European Organization for Nuclear Research · Brown University");

  await page.getByRole("button", { name: "Add a person" }).filter({ visible: true }).click();
  await person.getByText("Organisation", { exact: true }).click();
  await person.getByRole("textbox", { name: "ROR" }).fill("05gq02987");
  await person.getByRole("button", { name: "Fill in from ROR" }).click();
  await expect(person.getByRole("combobox", { name: "Name" })).toHaveValue("Brown University");
  await person.getByRole("button", { name: "Done" }).last().click();
  await page.locator("summary", { hasText: "Funding" }).click();
  await choose(page, "Funder", "05gq02987", /Brown University/);
  const funding = page.getByRole("group", { name: "Funding" });
  await funding.getByRole("button", { name: "Add" }).click();
  await expect(funding.getByRole("listitem")).toHaveText("Brown University");

  const [id] = /[^/]+$/.exec(new URL(page.url()).pathname) ?? [];
  const near = new HttpClient(replica.url, replica.guard.secret);
  const stored = async () => (await near.get(`/api/records/${id}/draft`)).body.metadata;
  await expect.poll(async () => (await stored()).funding).toMatchObject([{ funder: { name: "Brown University" } }]);
  const { creators } = await stored();
  expect(creators.at(-1).person_or_org.identifiers).toMatchObject([{ scheme: "ror", identifier: "05gq02987" }]);
  expect(creators.at(-2).affiliations).toMatchObject([
    { name: "Brown" },
    { id: "01ggx4157" },
    { name: "Brown University" },
  ]);
  expect(faults).toEqual([]);
  await context.close();
});

test("offline the buttons are gone, and a ROR id of the vocabulary is still found (app M22)", async ({ browser }) => {
  const { page, context, faults } = await openWindow(browser, replica, { path: "/" });
  desk.proxy.cut();
  await openDraft(page);
  await page.getByRole("button", { name: "Add a person" }).filter({ visible: true }).click();
  const person = page.getByRole("dialog");
  await person.getByRole("textbox", { name: "ORCID" }).fill("0000-0002-1825-0097");
  await choose(page, "Affiliations", "01ggx4157", /European Organization for Nuclear Research/);
  await expect(person.getByText("Fill in from ORCID")).toHaveCount(0);
  expect(faults).toEqual([]);
  await context.close();
});
