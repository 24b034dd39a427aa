import { expect, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { insertOperation, type Operation } from "../../main/sync/operation.repository.ts";
import { complete } from "../support/fake-invenio/complete.ts";
import { Desk, openWindow } from "./desk.ts";
import { keepMessages } from "./keep-messages.ts";

/** Refused work on an object that is gone. */
async function refuse({ host }: RunningReplica, work: Partial<Operation> & Pick<Operation, "kind" | "payload">) {
  const id = host.newUuid();
  await insertOperation(host.db, {
    ...{ id, version: 1, delivery: "queue", title: "Edit “Tide gauges”", state: "rejected", snapshot: null },
    ...{ object_kind: "draft", object_id: "xq8gk-zkmv5", aggregate_kind: "family", aggregate_id: "8286h-h8myb" },
    ...{ blobs: "[]", bytes: 0, attempts: 0, next_attempt: null, created: host.now(), applied_seq: null },
    ...{ reason: "It was deleted or discarded elsewhere.", refused: host.now(), server: null, wire_id: id },
    ...work,
  });
}

test("the tray shows what has no place any more: a value of a removed creator, a comment of a request that is gone, what was written about a file (upstreams U3, U4, issues 17, 20)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const replica = await desk.replica();
  const { page, faults } = await openWindow(browser, replica, { path: "/" });
  const { metadata, access } = complete;
  const input = { metadata, access, custom_fields: {}, pids: {}, files: { enabled: true } };
  const left_over = [{ path: 'metadata.creators["name:berg, a."].role', mine: { id: "researcher" } }];
  await refuse(replica, {
    kind: "draft.edit",
    payload: JSON.stringify({ id: "xq8gk-zkmv5", epoch: -1, update: "", changes: [] }),
    snapshot: JSON.stringify({ input, files: [], left_over }),
  });
  const request = { object_kind: "comment", aggregate_kind: "request", title: "Comment on “Tide gauges”" };
  await refuse(replica, {
    ...{ kind: "comment.create", ...request, server: JSON.stringify({ status: 404, message: "Not found." }) },
    payload: JSON.stringify({ body: { payload: { content: "Written at sea" } } }),
  });
  await refuse(replica, {
    ...{ kind: "file.metadata", title: "Describe tide.csv of “Tide gauges”" },
    payload: JSON.stringify({ key: "tide.csv", metadata: { caption: "Seen <b> at sea", depth: { metres: 4 } } }),
  });
  await page.goto(`${replica.url}/sync`);
  const value = page.getByText("Your value for Creators, berg, a., Role.");
  await expect(value).toBeVisible();
  await expect(value.locator("..")).toContainText("researcher");
  await expect(page.getByText("Written at sea")).toBeVisible();
  await expect(page.getByText("caption: Seen <b> at sea")).toContainText('depth: {"metres":4}');
  await expect(page.getByRole("button", { name: "Copy to a new draft" })).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Edit and resend" })).toHaveCount(0);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await keepMessages(page);
  await page.getByRole("button", { name: "Copy details" }).nth(1).click();
  await expect(page.getByText("Copied")).toBeVisible();
  expect(await page.evaluate("navigator.clipboard.readText()")).toContain("Written at sea");
  expect(faults).toEqual([]);
  await desk.close();
});
