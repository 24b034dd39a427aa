import { expect, test } from "vitest";
import { Pause } from "../../main/sync/pause.ts";
import { openDatabase } from "../../shared/database/open.ts";

test("a pause, or its end, that cannot be stored has not happened", async () => {
  const { db, close } = openDatabase(":memory:");
  await close();
  for (const isOn of [true, false]) {
    const pause = new Pause(db, isOn);
    await expect(pause.set(!isOn)).rejects.toThrow();
    expect(pause.isOn).toBe(isOn);
  }
});
