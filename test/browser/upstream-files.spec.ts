import { expect, test } from "@playwright/test";
import { connectReplica } from "../../main/sync/connect.ts";
import { startFakeInvenio } from "../support/fake-invenio/fake-invenio.ts";
import { addFile } from "../support/files.ts";
import { givenDraftThere } from "../support/invenio-desk.ts";
import { Desk, openWindow } from "./desk.ts";
import { takePictures } from "./picture.ts";

test("the 101st file is refused when it is added, online and offline, with what to do (upstreams F20, issue 20)", async ({
  browser,
}) => {
  const fake = await startFakeInvenio({ profile: "zenodo" });
  fake.site.limits.override = { minute: 10_000, hour: 10_000 };
  const ada = fake.person("ada");
  const draft = await givenDraftThere(ada.client, "Tide gauges of 2025");
  for (let number = 1; number <= 99; number++) await addFile(ada.client, draft, `gauge-${number}.csv`, "hour,height");
  const desk = await Desk.open();
  const replica = await desk.replica();
  const { page, faults } = await openWindow(browser, replica, { isNew: true });
  await connectReplica(replica.host.db, replica.engine, fake.url, ada.token);
  const add = (...names: string[]) =>
    page
      .locator('input[type="file"]')
      .first()
      .setInputFiles(names.map((name) => ({ name, mimeType: "text/csv", buffer: Buffer.from(name) })));
  const words = page.getByText("A record holds 100 files at most. Put files into a ZIP archive and add that instead");
  await page.goto(`${replica.url}/uploads/${draft}`);
  await expect(page.getByText("99 files", { exact: false })).toBeVisible();

  await test.step("online", async () => {
    await add("north.csv", "south.csv");
    await expect(words).toBeVisible();
    await takePictures(page, "upstream-files-too-many");
    await page.getByRole("button", { name: "Close", exact: true }).last().click();
    await add("north.csv");
    await expect(page.getByText("100 files", { exact: false }).first()).toBeVisible();
  });

  await test.step("offline", async () => {
    await page.request.post(`${replica.url}/api/sync/pause`, {
      headers: { authorization: `Bearer ${replica.guard.secret}` },
    });
    await expect(words).toHaveCount(0);
    await add("south.csv");
    await expect(words).toBeVisible();
  });
  expect(faults).toEqual([]);
  await desk.close();
  await fake.stop();
});

test("a file that Zenodo refuses says so in its row, with the whole reason beside the draft, and does not wait (upstreams 5.2, issue 20)", async ({
  browser,
}) => {
  const fake = await startFakeInvenio({ profile: "zenodo" });
  const ada = fake.person("ada");
  const draft = await givenDraftThere(ada.client, "Tide gauges of 2025");
  fake.site.switches.quotaBytes = 20;
  const desk = await Desk.open();
  const replica = await desk.replica();
  const { page, faults } = await openWindow(browser, replica, { isNew: true });
  await connectReplica(replica.host.db, replica.engine, fake.url, ada.token);
  await page.goto(`${replica.url}/uploads/${draft}`);
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles([{ name: "raw.tif", mimeType: "image/tiff", buffer: Buffer.alloc(5000) }]);
  const row = page.getByRole("row", { name: /raw\.tif/ });
  await expect(row.getByText("Refused", { exact: true })).toBeVisible();
  await expect(row.getByText("Interrupted")).toHaveCount(0);
  await expect(page.getByText("waiting for the server")).toHaveCount(0);
  const reason = page.getByText("Refused: Zenodo did not take this file: Maximum file size exceeded.");
  const [side, words] = [await page.getByRole("tabpanel").boundingBox(), await reason.boundingBox()];
  expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual((side?.x ?? 0) + (side?.width ?? 0));
  await takePictures(page, "upstream-files-refused");
  expect(faults).toEqual([]);
  await desk.close();
  await fake.stop();
});
