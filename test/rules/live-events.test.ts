import { afterEach, expect, test, vi } from "vitest";
import { followEvents } from "../../renderer/api-client/live-events.ts";
import { queryClient } from "../../renderer/api-client/query-client.ts";
import { syncStatusQuery, trayQuery } from "../../renderer/api-client/sync.ts";
import type { SyncStatus } from "../../shared/sync-protocol/sync-status.schema.ts";

/** The stream of a window, into which the test puts events. */
class FakeStream extends EventTarget {
  static last: FakeStream;

  constructor() {
    super();
    FakeStream.last = this;
  }

  send(name: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  close(): void {}
}

const upload = { key: "dem.tif", record: "abcde-12345", direction: "up" as const, bytes: 0, size: 9 };
const status: SyncStatus = {
  ...{ state: "syncing", server: "https://example.org", user: null, online: true, paused: false },
  ...{ pending: 1, sending: 0, rejected: 0, conflicts: 0, transfers: [upload], last_success: null, last_error: null },
};

const afterStorm = () => new Promise((resolve) => setTimeout(resolve, 600));
const isTrayReadAgain = () => queryClient.getQueryState(trayQuery.queryKey)?.isInvalidated;

let stop: (() => void) | undefined;

/** A window that shows a tray and has heard one status. */
async function openWindow(): Promise<FakeStream> {
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("navigator", {});
  stop = followEvents();
  queryClient.setQueryData(syncStatusQuery.queryKey, status);
  queryClient.setQueryData(trayQuery.queryKey, { hits: { hits: [], total: 0 } } as never);
  return FakeStream.last;
}

afterEach(async () => {
  stop?.();
  // The stream is closed in a later turn.
  await new Promise((resolve) => setTimeout(resolve));
  vi.unstubAllGlobals();
  queryClient.clear();
});

test("the progress of a transfer and the last contact make no window read its lists again (hosts-and-sync 5, events)", async () => {
  const stream = await openWindow();
  for (let bytes = 1; bytes < 9; bytes++)
    stream.send("status", {
      ...status,
      transfers: [{ ...upload, bytes }],
      last_success: `2026-11-29T09:00:0${bytes}Z`,
    });
  await afterStorm();
  expect(queryClient.getQueryData<SyncStatus>(syncStatusQuery.queryKey)?.transfers[0]?.bytes).toBe(8);
  expect(isTrayReadAgain()).toBe(false);
});

test.each([
  ["the end of a transfer", { transfers: [] }],
  ["a refused change", { rejected: 1 }],
  ["an error", { last_error: "The server is full." }],
])("%s makes a window read its lists again (hosts-and-sync 5, events)", async (_name, change) => {
  const stream = await openWindow();
  stream.send("status", { ...status, ...change });
  await vi.waitFor(() => expect(isTrayReadAgain()).toBe(true));
});

test("a window reads again what it read before its events arrived (hosts-and-sync 5, events)", async () => {
  const stream = await openWindow();
  expect(isTrayReadAgain()).toBe(false);
  stream.dispatchEvent(new Event("open"));
  expect(isTrayReadAgain()).toBe(true);
});

test("the first status of a stream makes a window read nothing twice (hosts-and-sync 5, events)", async () => {
  const stream = await openWindow();
  queryClient.removeQueries({ queryKey: syncStatusQuery.queryKey });
  stream.send("status", status);
  await afterStorm();
  expect(queryClient.getQueryData(syncStatusQuery.queryKey)).toEqual(status);
  expect(isTrayReadAgain()).toBe(false);
});

test("a window that hears its first status from another tab reads its lists again (hosts-and-sync 5, events)", async () => {
  await openWindow();
  queryClient.removeQueries({ queryKey: syncStatusQuery.queryKey });
  const other = new BroadcastChannel("carrel-events");
  other.postMessage(["status", JSON.stringify(status)]);
  await vi.waitFor(() => expect(isTrayReadAgain()).toBe(true));
  other.close();
});
