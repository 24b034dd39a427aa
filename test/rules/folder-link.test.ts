import { expect, onTestFinished, test } from "vitest";
import { folderLink } from "../../server/folder-link.ts";
import { insertMessages, listMessages } from "../../server/process-message.repository.ts";
import { openDatabase } from "../../shared/database/open.ts";
import { createLog } from "../../shared/kernel/log.ts";

const { db, close } = openDatabase(":memory:");

function linked() {
  const link = folderLink(db, createLog("silent"));
  onTestFinished(link.stop);
  const told: unknown[] = [];
  link.onMessage("presence", (message) => told.push(message));
  return { link, told };
}

test("processes on one folder tell each other, not themselves, and nothing of before (issue 19, scale 5)", async () => {
  await insertMessages(db, "somebody", [JSON.stringify(["presence", "earlier"])]);
  const [one, other] = [linked(), linked()];
  one.link.send("presence", "a".repeat(8000));
  one.link.send("commit", null);
  // Nothing is heard before the first reading.
  await expect
    .poll(() => {
      one.link.send("presence", "here");
      return other.told;
    })
    .toContain("here");
  expect(new Set(other.told)).toEqual(new Set(["here"]));
  expect(one.told).toEqual([]);
});

test("who missed messages is told of the gap; old messages go", async () => {
  const { link, told } = linked();
  let gaps = 0;
  link.onGap(() => (gaps += 1));
  const tell = (count: number) =>
    insertMessages(db, "somebody", Array<string>(count).fill(JSON.stringify(["presence", null])));
  await expect
    .poll(async () => {
      await tell(1);
      return told.length;
    })
    .toBeGreaterThan(0);
  expect(gaps).toBe(0);
  await tell(1100);
  expect(await listMessages(db, 0)).toHaveLength(1000);
  await expect.poll(() => gaps).toBe(1);
  await link.stop();
  await close();
});
