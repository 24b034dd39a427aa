import { expect, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { addFile } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { givenDraftThere } from "../support/invenio-desk.ts";
import { Desk, openWindow } from "./desk.ts";
import { hold } from "./hold.ts";
import { takePictures } from "./picture.ts";

const published = "This draft has been published; you now see the record.";
const discarded = "This draft was discarded; you now see the published record.";

const lookNow = (page: Page, { url, guard }: RunningReplica) =>
  page.request.post(`${url}/api/sync/run`, { headers: { authorization: `Bearer ${guard.secret}` } });

/** The page of the draft is open while somebody acts on the server. */
async function whileOpen(page: Page, replica: RunningReplica, draft: string, act: () => Promise<unknown>) {
  const { url } = replica;
  await lookNow(page, replica);
  await page.goto(`${url}/uploads/${draft}`);
  await expect(page.getByRole("button", { name: "Publish", exact: true })).toBeVisible();
  await act();
  await lookNow(page, replica);
  await page.waitForURL(`${url}/records/${draft}`);
}

async function givenDraftWithFile(client: HttpClient): Promise<string> {
  const draft = await givenDraftThere(client, "Tide gauges of 2025");
  await addFile(client, draft, "gauges.csv", "hour,height");
  return draft;
}

for (const kind of ["an InvenioRDM", "a Carrel server"] as const)
  test(`a draft that is published on ${kind} while its page is open: the record says why it is shown (upstreams U1, issue 20)`, async ({
    browser,
  }) => {
    const desk = await Desk.open();
    const fake = kind === "an InvenioRDM" ? await startFakeInvenio({ profile: "invenio-14" }) : undefined;
    const person = fake ? undefined : await desk.person("ada", "Ada Lovelace");
    const client = fake ? fake.person("ada").client : (person?.server as HttpClient);
    const draft = await givenDraftWithFile(client);
    const replica = await desk.replica(person);
    const { page, faults } = await openWindow(browser, replica, { isNew: fake !== undefined });
    if (fake) await connectReplica(replica.host.db, replica.engine, fake.url, fake.person("ada").token);
    const at = `/api/records/${draft}/draft`;

    await test.step("a first publication", async () => {
      await whileOpen(page, replica, draft, () => client.post(`${at}/actions/publish`));
      await expect(page.getByText(published)).toBeVisible();
      await takePictures(page, "moved-to-record-published");
    });

    await test.step("it is said once", async () => {
      await page.getByRole("link", { name: "Library" }).first().click();
      // The address changes before the page does.
      await page.getByRole("button", { name: "New draft", exact: true }).first().waitFor();
      await page.goBack();
      await page.waitForURL(`${replica.url}/records/${draft}`);
      await expect(page.getByRole("heading", { name: "Tide gauges of 2025" })).toBeVisible();
      await expect(page.getByText(published)).toHaveCount(0);
    });

    await test.step("an edit that is discarded there, and one that is published", async () => {
      await client.post(at);
      await whileOpen(page, replica, draft, () => client.delete(at));
      await expect(page.getByText(discarded)).toBeVisible();
      await client.post(at);
      await whileOpen(page, replica, draft, () => client.post(`${at}/actions/publish`));
      await expect(page.getByText(published)).toBeVisible();
    });

    await test.step("an edit that is discarded there before its record was read here", async () => {
      await client.post(at);
      const record = await hold(page, "GET", new RegExp(`/api/records/${draft}$`));
      await whileOpen(page, replica, draft, async () => {
        const gone = page.waitForResponse((answer) => answer.url().endsWith(at) && answer.status() === 404);
        await client.delete(at);
        await lookNow(page, replica);
        await gone;
        await record.release();
      });
      await expect(page.getByText(discarded)).toBeVisible();
    });

    await test.step("what the user does here needs no sentence", async () => {
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await page.waitForURL(`${replica.url}/uploads/${draft}`);
      await page.getByRole("button", { name: "More for this draft" }).click();
      await page.getByRole("menuitem", { name: "Discard draft" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
      await page.waitForURL(`${replica.url}/me/uploads`);
      await page.getByRole("button", { name: "New draft", exact: true }).first().waitFor();
      await page.getByText("Tide gauges of 2025").first().click();
      await page.waitForURL(`${replica.url}/records/${draft}`);
      await expect(page.getByRole("button", { name: "Edit", exact: true })).toBeVisible();
      await expect(page.getByText("you now see")).toHaveCount(0);
    });
    expect(faults).toEqual([]);
    await desk.close();
    await fake?.stop();
  });
