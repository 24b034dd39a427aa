import { expect, test } from "vitest";
import { recall, remember } from "../../main/sync/person.repository.ts";
import { TemplateMirror } from "../../main/sync/template-mirror.ts";
import { deskService } from "../../shared/desk/desk.service.ts";
import { localOwner } from "../../shared/desk/desk-owner.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { newReplica } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const text = (name: string) => JSON.stringify({ name, metadata: {}, access: {} });

test("templates of a restored server that answers before its feed says so: nothing is removed or replaced here, all of it is sent again (hosts-and-sync 4)", async () => {
  const { db } = (await newReplica()).host;
  const own = deskService(db);
  const there = new Map<string, string>();
  let refusals = 0;
  let isRestored = false;
  const upstream = {
    desk: {
      list: async () => new Map(there),
      keep: async (_shelf: string, key: string, value: string) => void there.set(key, value),
      remove: async (_shelf: string, key: string) => void there.delete(key),
    },
    wholePage: async () => {
      if (!isRestored) return undefined;
      refusals++;
      throw new Failure("gone", "The cursor is of another time.");
    },
  };
  type Options = ConstructorParameters<typeof TemplateMirror>[0];
  const engine = { isOnline: () => true, connection: { upstream } } as unknown as Options["engine"];
  const events = { sendChanges: () => {} };
  const start = () => new TemplateMirror({ db, engine, desk: own, log: createLog("silent"), events });
  const write = (key: string, name: string) => own.keep(localOwner, "templates", { key, text: text(name) });
  const namesHere = async () => {
    const names: string[] = [];
    for await (const note of own.list(localOwner, "templates")) names.push(JSON.parse(note.text).name);
    return names.sort().join();
  };
  const isThere = (name: string) => () => [...there.values()].includes(text(name));
  const exchanged = async (count: number) =>
    Object.keys((await recall(db, "templates"))?.digests ?? {}).length === count;

  const mirror = start();
  await write("a", "Cruise");
  mirror.changed();
  await until(() => exchanged(1), "the first is exchanged");
  await write("a", "Cruise north");
  await write("b", "Mooring");
  mirror.changed();
  await until(() => exchanged(2), "both are exchanged");

  // The server is back at its former state, and no page of the feed has told so yet.
  there.clear();
  there.set("a", text("Cruise"));
  isRestored = true;
  mirror.changed();
  await until(() => refusals > 0, "the cursor is refused");
  await mirror.stop();
  expect(await namesHere()).toBe("Cruise north,Mooring");

  isRestored = false;
  await remember(db, "lives", 1);
  const later = start();
  later.changed();
  await until(isThere("Cruise north"), "the newer text is sent again");
  await until(isThere("Mooring"), "what was lost is sent again");
  await later.stop();
  expect(await namesHere()).toBe("Cruise,Cruise north,Mooring");
});
