import { expect, test } from "vitest";
import { repeatedlyIn } from "../../shared/database/conflict.ts";
import { WriteLanes } from "../../shared/database/write-lanes.ts";
import { yieldToEventLoop } from "../../shared/kernel/time-slice.ts";

const conflict = () => Object.assign(new Error("could not serialize access"), { code: "40001" });

test("writes run beside each other until they conflict; then one after the other, in their order (scale 4)", async () => {
  const lanes = new WriteLanes();
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const all = (count: number, fails: (at: number, attempt: number) => boolean) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        repeatedlyIn(lanes, async (attempt) => {
          running += 1;
          most = Math.max(most, running);
          await yieldToEventLoop();
          running -= 1;
          if (fails(at, attempt)) throw conflict();
          done.push(at);
        }),
      ),
    );
  await all(12, () => false);
  expect(most).toBe(9);
  await all(12, (at, attempt) => at < 9 && attempt === 1);
  most = 0;
  done.length = 0;
  await all(6, () => false);
  expect(most).toBe(1);
  expect(done).toEqual([...done].sort((a, b) => a - b));
});

test("all lanes open again after writes without conflicts; a write that always conflicts ends with 503 (scale 4)", async () => {
  const lanes = new WriteLanes();
  const never = repeatedlyIn(lanes, async () => {
    throw conflict();
  });
  await expect(never).rejects.toMatchObject({ kind: "unavailable", headers: { "Retry-After": "1" } });
  for (let writes = 0; writes < 200; writes++) await repeatedlyIn(lanes, async () => undefined);
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, () =>
      repeatedlyIn(lanes, async () => {
        running += 1;
        most = Math.max(most, running);
        await yieldToEventLoop();
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(9);
});
