import { expect, test } from "@playwright/test";
import { insertOperation } from "../../main/sync/operation.repository.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { Desk, openWindow } from "./desk.ts";

test("a value whose place in the draft is gone is shown in the entry of the tray (upstreams U3, issue 20)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const { page, faults } = await openWindow(browser, replica);
  const { id, db } = { id: replica.host.newUuid(), db: replica.host.db };
  const { metadata, access } = complete;
  const input = { metadata, access, custom_fields: {}, pids: {}, files: { enabled: true } };
  const left_over = [{ path: 'metadata.creators["name:berg, a."].role', mine: { id: "researcher" } }];
  await insertOperation(db, {
    ...{ id, kind: "draft.edit", version: 1, delivery: "queue", title: "Edit “Tide gauges”", state: "rejected" },
    payload: JSON.stringify({ id: "xq8gk-zkmv5", epoch: -1, update: "", changes: [] }),
    ...{ object_kind: "draft", object_id: "xq8gk-zkmv5", aggregate_kind: "family", aggregate_id: "8286h-h8myb" },
    ...{ blobs: "[]", bytes: 0, attempts: 0, next_attempt: null, created: replica.host.now(), applied_seq: null },
    ...{ reason: "It was deleted or discarded elsewhere.", refused: replica.host.now(), server: null, wire_id: id },
    snapshot: JSON.stringify({ input, files: [], left_over }),
  });
  await page.goto(`${replica.url}/sync`);
  const value = page.getByText("Your value for Creators, berg, a. role.");
  await expect(value).toBeVisible();
  await expect(value.locator("..")).toContainText("researcher");
  await page.screenshot({ path: test.info().outputPath("left-over.png") });
  expect(faults).toEqual([]);
  await desk.close();
});
