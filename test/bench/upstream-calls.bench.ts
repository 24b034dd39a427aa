import { personIn } from "../../main/sync/person.ts";
import { attachFile, newDraftBody } from "../sync/simulator/invenio/desk-actions.ts";
import { InvenioWorld } from "../sync/simulator/invenio/invenio-world.ts";
import type { SimDesk } from "../sync/simulator/invenio/sim-desk.ts";
import type { BenchCase, Measured } from "./bench-case.ts";

/** Calls, not times: the site is in this process, and time is virtual (upstreams 4). */
const counted = async (world: InvenioWorld, design: number, work: () => Promise<unknown>): Promise<Measured> => {
  world.site.calls.length = 0;
  await work();
  return { ours: world.site.calls.length, reference: design, unit: "calls", against: "the design's count" };
};

/** A site with records of ada, a tenth of them drafts, and requests; and a desk that has copied nothing. */
async function given(records: number, requests: number): Promise<{ world: InvenioWorld; desk: SimDesk }> {
  const world = InvenioWorld.bare("invenio-14");
  // The people who filled the site did so without its limits.
  world.site.limits.override = { minute: 1e9, hour: 1e9 };
  const community = await world.foundCommunity();
  for (let n = 0; n < requests; n++) await world.submit(community);
  for (let n = requests; n < records; n++) {
    const draft = await world.draftThere(`Record ${n}`);
    if (n >= records / 10) await world.browse("POST", `/api/records/${draft}/draft/actions/publish`);
  }
  world.site.limits.override = undefined;
  world.pass(3600);
  return { world, desk: await world.connectDesk("desk 1") };
}

const firstCopy = (records: number, requests: number, design: number): BenchCase => ({
  name: `first copy of ${records.toLocaleString("en")} records, ${requests} requests`,
  reach: "<= 1.1",
  async run() {
    const { world, desk } = await given(records, requests);
    return counted(world, design, () => desk.pullAll());
  },
});

/** An hour in which nothing happens. A page of the feed is asked for every five seconds, as the engine does. */
const anHour = (name: string, hasWindow: boolean, design: number): BenchCase => ({
  name: `an hour ${name}`,
  reach: "<= 1.1",
  async run() {
    const { world, desk } = await given(20, 5);
    await desk.pullAll();
    desk.hasWindow = hasWindow;
    return counted(world, design, async () => {
      for (let second = 0; second < 3600; second += 5) {
        world.pass(5);
        await desk.pullAll();
      }
    });
  },
});

const files: BenchCase = {
  name: "100 files into one draft",
  reach: "<= 1.1",
  async run() {
    const { world, desk } = await given(0, 0);
    await desk.pullAll();
    const caller = await personIn(desk.db);
    const { id } = await desk.services.drafts.createFrom(caller, newDraftBody("Lovelace"));
    await desk.syncAll();
    const [draft] = await desk.db.selectFrom("draft").select("id").execute();
    for (let n = 0; n < 100; n++)
      await attachFile(desk, draft?.id ?? id, `f${String(n).padStart(3, "0")}.csv`, Buffer.from(`bytes ${n}`));
    return counted(world, 201, () => desk.syncAll());
  },
};

export const bench: BenchCase[] = [
  firstCopy(20, 5, 25),
  firstCopy(200, 20, 75),
  firstCopy(2000, 100, 530),
  anHour("in front", true, 180),
  anHour("without a window", false, 6),
  files,
];
