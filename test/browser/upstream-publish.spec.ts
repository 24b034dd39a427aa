import { expect, test } from "@playwright/test";
import { connectReplica } from "../../main/sync/connect.ts";
import { startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { addFile } from "../support/files.ts";
import { givenDraftThere } from "../support/invenio-desk.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePictures } from "./picture.ts";

test("a dialog to publish that is open while the draft is changed or published on the site says so (upstreams U1, issue 20)", async ({
  browser,
}) => {
  const fake = await startFakeInvenio({ profile: "zenodo" });
  const ada = fake.person("ada");
  const draft = await givenDraftThere(ada.client, "Tide gauges of 2025");
  await addFile(ada.client, draft, "gauges.csv", "hour,height");
  const desk = await Desk.open();
  const replica = await desk.replica();
  const { page, faults } = await openWindow(browser, replica, { isNew: true });
  await connectReplica(replica.host.db, replica.engine, fake.url, ada.token);
  const at = `/api/records/${draft}/draft`;
  const lookNow = () =>
    page.request.post(`${replica.url}/api/sync/run`, {
      headers: { authorization: `Bearer ${replica.guard.secret}` },
    });
  const dialog = page.getByRole("dialog", { name: "Publish this draft?" });
  const publish = page.getByRole("button", { name: "Publish", exact: true });
  const changed = dialog.getByText("The draft has changed since you pressed Publish.");

  await test.step("a change that was heard", async () => {
    await page.goto(`${replica.url}/uploads/${draft}`);
    await publish.click();
    await expect(dialog.getByText("Tide gauges of 2025")).toBeVisible();
    await expect(changed).toHaveCount(0);
    const { body } = await ada.client.get(at);
    await ada.client.put(at, { ...body, metadata: { ...body.metadata, title: "Tide gauges of 2026" } });
    await lookNow();
    await expect(dialog.getByText("Tide gauges of 2026")).toBeVisible();
    await expect(changed).toBeVisible();
    await takePictures(page, "upstream-publish-changed");
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  await test.step("a publication that was not heard", async () => {
    await publish.click();
    await expect(changed).toHaveCount(0);
    await ada.client.post(`${at}/actions/publish`);
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.waitForURL(`${replica.url}/records/${draft}`);
    // The dialog is gone with its page.
    await expect(page.getByText("Zenodo has published this draft already, though not by this press.")).toBeVisible();
  });
  expect(faults).toEqual([]);
  await desk.close();
  await fake.stop();
});
