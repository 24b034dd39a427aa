import fc from "fast-check";
import { expect, test } from "vitest";
import { anonymous, type Caller } from "../../shared/kernel/caller.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { isRecordId, recordIdFrom } from "../../shared/kernel/record-id.ts";
import { answerCache } from "../../shared/records/answer-cache.ts";

/** As much of a server as the cache asks for. */
function fakeHost(): { host: Host; commit(): void } {
  const listeners: (() => void)[] = [];
  const onCommitted = (heard: () => void) => listeners.push(heard);
  const host = { abilities: { cachesAnswers: true }, now: () => 0, onCommitted };
  return { host: host as unknown as Host, commit: () => void listeners.map((heard) => heard()) };
}

const recordIds = fc.constantFrom(...[1, 2].map((byte) => recordIdFrom(new Uint8Array([0, 0, 0, 0, byte]))));
/** Few pieces and many separators, so that joined text often collides. */
const text = fc.string({ unit: fc.constantFrom("1", "a", "|", ",", ":", " ", "/", "\n"), maxLength: 4 });
const ids = fc
  .tuple(recordIds, fc.array(fc.tuple(fc.constantFrom("|", ",", ":", "%7C"), text)))
  .map(([id, rest]) => id + rest.flat().join(""));
const callers = fc
  .tuple(fc.option(text), fc.uniqueArray(text, { maxLength: 3 }))
  .map(([userId, roles]): Caller => ({ ...anonymous, userId, roles: new Set(roles) }));

const sameCaller = (one: Caller, other: Caller): boolean =>
  one.userId === other.userId && JSON.stringify([...one.roles].sort()) === JSON.stringify([...other.roles].sort());

test("callers, roles and ids with separators never share a kept answer (security 2)", async () => {
  const callLists = fc.array(fc.tuple(fc.oneof(ids, recordIds), callers), { minLength: 2, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(callLists, async (calls) => {
      const cache = answerCache(fakeHost().host);
      const last = new Map<string, [string, Caller]>();
      for (const [at, [id, caller]] of calls.entries()) {
        last.set(`"${at}"`, [id, caller]);
        await cache.keep(id, caller, async () => ({ body: {}, etag: `"${at}"` }));
      }
      for (const [id, caller] of calls) {
        const found = await cache.find(id, caller);
        if (found === undefined) continue;
        const [keptId, keptCaller] = last.get(found.etag) ?? [];
        expect(isRecordId(id)).toBe(true);
        expect(keptId).toBe(id);
        expect(keptCaller && sameCaller(keptCaller, caller)).toBe(true);
      }
    }),
    { seed: 20261123, numRuns: 500 },
  );
});

test("an answer is found again by its caller, not after a commit, and never through a link's token (security 2)", async () => {
  const { host, commit } = fakeHost();
  const cache = answerCache(host);
  const id = recordIdFrom(new Uint8Array([1, 2, 3, 4, 5]));
  const ada: Caller = { ...anonymous, userId: "1", roles: new Set(["b", "a"]) };
  const make = async () => ({ body: { id }, etag: '"1"' });
  await cache.keep(id, ada, make);
  expect((await cache.find(id, { ...ada, roles: new Set(["a", "b"]) }))?.text).toBe(JSON.stringify({ id }));
  expect(await cache.find(id, { ...ada, roles: new Set(["a"]) })).toBeUndefined();
  expect(await cache.find(id, anonymous)).toBeUndefined();
  expect(await cache.find(id, { ...ada, linkTokens: ["secret"] })).toBeUndefined();
  await cache.keep(id, { ...anonymous, linkTokens: ["secret"] }, make);
  expect(await cache.find(id, anonymous)).toBeUndefined();
  commit();
  expect(await cache.find(id, ada)).toBeUndefined();
});
