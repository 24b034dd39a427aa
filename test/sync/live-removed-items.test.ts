import { afterAll, beforeAll, expect, test } from "vitest";
import * as Y from "yjs";
import { until } from "../support/until.ts";
import { type Live, type Person, startLive } from "./live-fixture.ts";

let live: Live;
let ada: Person;
let bob: Person;

beforeAll(async () => {
  live = await startLive();
  ada = await live.givenPerson("ada");
  bob = await live.givenPerson("bob");
});
afterAll(() => live.close());

const conflictsOf = (id: string) =>
  live.server.host.db.selectFrom("conflict").selectAll().where("draft_id", "=", id).execute();

const metadataOf = async (id: string) => (await live.call(ada, "GET", `/api/records/${id}/draft`)).body.metadata;

test.each(["the removal", "the edit"])(
  "an item edited by one, removed by another in the same moment, %s first: removed; the edit is kept as a conflict (hosts-and-sync 4)",
  async (first) => {
    const id = await live.givenDraft(ada);
    await live.grant(id, bob, "edit");
    const clients = [await live.connect(ada, id), await live.connect(bob, id)] as const;
    const [subjects, peersSubjects] = clients.map(
      (client) => client.metadata().get("subjects") as Y.Map<Y.Map<unknown>>,
    );
    subjects?.set("ice", new Y.Map([["subject", "ice"]]));
    await until(() => peersSubjects?.has("ice") === true);
    const removes = () => subjects?.delete("ice");
    const edits = () => peersSubjects?.get("ice")?.set("scheme", "words");
    for (const act of first === "the edit" ? [edits, removes] : [removes, edits]) act();
    await until(async () => (await conflictsOf(id)).length > 0);
    expect(await conflictsOf(id)).toMatchObject([
      { user_id: bob.id, theirs_by: ada.id, path: "metadata.subjects.ice", theirs: "null" },
    ]);
    expect(JSON.parse((await conflictsOf(id))[0]?.mine ?? "")).toEqual({ subject: "ice", scheme: "words" });
    expect(await metadataOf(id)).not.toHaveProperty("subjects");
    await until(() => clients.every((client) => (client.metadata().get("subjects") as Y.Map<unknown>).size === 0));
  },
);

test("an item edited by an offline user and removed by another, with a server restart between: removed; the edit is kept as a conflict (hosts-and-sync 4)", async () => {
  const methods = { description: "How it was done.", type: { id: "methods" } };
  const id = await live.givenDraft(ada, { title: "A title", additional_descriptions: [methods] });
  await live.grant(id, bob, "edit");
  const away = await live.connect(bob, id);
  away.provider.disconnect();
  const descriptions = away.metadata().get("additional_descriptions") as Y.Map<Y.Map<Y.Text>>;
  const [key = ""] = descriptions.keys();
  const { status } = await live.call(ada, "PUT", `/api/records/${id}/draft`, { metadata: { title: "A title" } });
  expect(status).toBe(200);
  await live.restart();
  descriptions.get(key)?.get("description")?.insert(0, "See. ");
  away.provider.params = { ticket: await live.ticketOf(bob) };
  away.provider.connect();
  await until(async () => (await conflictsOf(id)).length > 0 && descriptions.size === 0);
  const path = `metadata.additional_descriptions.${key}`;
  expect(await conflictsOf(id)).toMatchObject([{ user_id: bob.id, theirs_by: ada.id, path, theirs: "null" }]);
  expect(JSON.parse((await conflictsOf(id))[0]?.mine ?? "")).toEqual({
    ...methods,
    description: "See. How it was done.",
  });
  expect(await metadataOf(id)).not.toHaveProperty("additional_descriptions");
});

test.each(["just before", "just after", "by who was away"])(
  "an item in which a field was cleared %s, removed there unseen: removed; the edit is kept as a conflict (hosts-and-sync 4)",
  async (when) => {
    const id = await live.givenDraft(ada);
    await live.grant(id, bob, "edit");
    const [one, other] = [await live.connect(ada, id), await live.connect(bob, id)];
    const subjectsOf = ({ metadata }: typeof one) => metadata().get("subjects") as Y.Map<Y.Map<unknown>>;
    subjectsOf(one).set("ice", new Y.Map(Object.entries({ subject: "ice", scheme: "words" })));
    await until(() => subjectsOf(other).has("ice"));
    const removes = () => subjectsOf(one).delete("ice");
    const clears = () => subjectsOf(other).get("ice")?.delete("scheme");
    if (when === "by who was away") {
      other.provider.disconnect();
      removes();
      await until(async () => (await metadataOf(id)).subjects === undefined);
      other.provider.params = { ticket: await live.ticketOf(bob) };
      clears();
    } else for (const act of when === "just before" ? [clears, removes] : [removes, clears]) act();
    other.provider.connect();
    await until(async () => (await conflictsOf(id)).length > 0);
    const path = "metadata.subjects.ice";
    expect(await conflictsOf(id)).toMatchObject([{ user_id: bob.id, theirs_by: ada.id, path, theirs: "null" }]);
    expect(JSON.parse((await conflictsOf(id))[0]?.mine ?? "")).toEqual({ subject: "ice" });
    await until(() => subjectsOf(other).size === 0);
    expect(await metadataOf(id)).not.toHaveProperty("subjects");
  },
);
