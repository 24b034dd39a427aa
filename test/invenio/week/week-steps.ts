import { setTimeout as sleep } from "node:timers/promises";
import { complete } from "../../support/fake-invenio/complete.ts";
import type { FaultKind } from "../../support/fake-invenio/switches.ts";
import type { Random } from "../../support/random.ts";
import {
  comment,
  connect,
  draftAt,
  draftHere,
  idThere,
  type Made,
  md5Of,
  readThere,
  type Week,
  type WeekDesk,
} from "./week-world.ts";

const faults: readonly FaultKind[] = [
  ...(["lost-before", "lost-after", "queue-down", "refused-500", "late-504", "html-502"] as const),
];
const targets: readonly [method: string, path: RegExp][] = [
  ["POST", /\/api\/records$/],
  ["PUT", /\/draft$/],
  ["POST", /\/comments$/],
  ["POST", /\/files$/],
  ["PUT", /\/content$/],
  ["POST", /\/commit$/],
  ["POST", /\/publish$/],
  ["DELETE", /\/draft$/],
  ["GET", /./],
];

async function create({ made }: Week, desk: WeekDesk, random: Random): Promise<void> {
  const name = `Maker${made.length}x${random.below(10_000)}`;
  const creators = [{ person_or_org: { type: "personal", family_name: name, given_name: "Ada" } }];
  const title = `Title of ${name}`;
  const { files: _, ...body } = complete;
  const metadata = { ...body.metadata, title, publisher: "A press", creators };
  const { status, body: draft } = await desk.client.post("/api/records", { ...body, metadata });
  if (status !== 201) return;
  const fields = new Map([["title", title]]);
  made.push({ desk, localId: draft.id, name, fields, files: new Map(), isDiscarded: false, presses: 0 });
}

/** Saves one field at a desk. */
async function edit(desk: WeekDesk, id: string, made: Made, field: string, value: string): Promise<void> {
  const draft = await draftHere(desk, id);
  if (!draft) return;
  const { status } = await desk.client.put(draftAt(draft.id), {
    ...draft,
    metadata: { ...draft.metadata, [field]: value },
  });
  if (status === 200) made.fields.set(field, value);
}

/** The web form saves the whole draft as it was loaded, without a condition. */
async function editThere(week: Week, id: string, made: Made, value: string): Promise<void> {
  const path = draftAt(id);
  const { status, body } = await readThere(week, path);
  if (status !== 200) return;
  const edited = { ...body, metadata: { ...body.metadata, description: value } };
  // A server that is being restarted may have saved, or not: the user looks.
  const saved = await week.browser.put(path, edited).catch(() => readThere(week, path));
  if (saved.status === 200 && saved.body.metadata.description === value) made.fields.set("description", value);
}

async function attach(desk: WeekDesk, made: Made, random: Random, at: number): Promise<void> {
  const draft = await draftHere(desk, made.localId);
  const key = `f${at}.csv`;
  if (!draft || made.files.has(key)) return;
  const bytes = `${at},`.repeat(1 + random.below(60_000));
  const path = `${draftAt(draft.id)}/files`;
  if ((await desk.client.post(path, [{ key }])).status !== 201) return;
  if ((await desk.client.putBytes(`${path}/${key}/content`, bytes)).status !== 200) return;
  if ((await desk.client.post(`${path}/${key}/commit`)).status === 200) made.files.set(key, md5Of(bytes));
}

/** Publishing waits for the answer of the server, so nobody here waits for it. */
export async function press({ desk, localId }: Made): Promise<boolean> {
  const draft = await draftHere(desk, localId);
  if (!draft) return false;
  void desk.client.post(`${draftAt(draft.id)}/actions/publish`).catch(() => undefined);
  return true;
}

async function discard(desk: WeekDesk, made: Made): Promise<void> {
  const draft = await draftHere(desk, made.localId);
  if (draft && (await desk.client.delete(draftAt(draft.id))).status === 204) made.isDiscarded = true;
}

async function setPaused(desk: WeekDesk, isPaused: boolean): Promise<void> {
  await desk.client.post(`/api/sync/${isPaused ? "pause" : "resume"}`);
  desk.isPaused = isPaused;
}

/** What somebody does at random. @returns its name. */
export async function takeStep(week: Week, random: Random, at: number): Promise<string> {
  const [first, second] = week.desks;
  const desk = random.of(week.desks);
  const alive = week.made.filter(({ isDiscarded, presses }) => !isDiscarded && presses === 0);
  const made = alive.length > 0 ? random.of(alive) : undefined;
  const die = random.below(100);
  if (!made || die < 6) {
    await create(week, desk, random);
    return "draft made at a desk";
  }
  if (die < 34) {
    const field = random.chance(0.5) ? "title" : "publisher";
    if (made.desk === first) await edit(first, made.localId, made, field, `Written ${at} at the first desk`);
    else await edit(second, made.localId, made, field, `Written ${at} at the second desk`);
    return "edit at the desk of the draft";
  }
  if (die < 52) {
    const id = await idThere(week, made);
    if (id === undefined) return "nothing: the draft is at its desk alone";
    const other = made.desk === first ? second : first;
    await edit(other, id, made, "version", `v${at}`);
    return "edit at the other desk";
  }
  if (die < 68) {
    const id = await idThere(week, made);
    if (id === undefined) return "nothing: the draft is at its desk alone";
    await editThere(week, id, made, `<p>In the browser ${at}</p>`);
    return "edit in the browser";
  }
  if (die < 76) return attach(made.desk, made, random, at).then(() => "file attached");
  if (die < 82) return comment(week, desk, `Said at ${at}`).then(() => "comment");
  if (die < 84) return discard(made.desk, made).then(() => "discard");
  if (die < 89) return setPaused(desk, !desk.isPaused).then(() => "desk paused or resumed");
  if (die < 97) {
    const [method, path] = random.of(targets);
    week.site.switches.fault(random.of(faults), method, path, 1, 1000 * (1 + random.below(8)));
    return "fault of the connection";
  }
  week.site.isCut = true;
  await sleep(300 + random.below(1500));
  week.site.isCut = false;
  return "connection cut";
}

/** At the end of a day one draft is published. The press is repeated until it was, as a person would. */
export async function publishOne(week: Week): Promise<void> {
  const ready = week.made.find(({ isDiscarded, presses, files }) => !isDiscarded && presses === 0 && files.size > 0);
  if (ready && (await press(ready))) ready.presses++;
}

/** The token dies while both desks work, and is renewed. */
export async function renewToken(week: Week, work: () => Promise<void>): Promise<void> {
  await week.site.revoke(week.token);
  await work();
  week.site.switches.clearFaults();
  week.token = week.site.person("ada").token;
  await connect(week);
}

/** Everything works again, and everything is sent. @throws Error with what is not */
export async function healAll(week: Week): Promise<void> {
  week.site.switches.clearFaults();
  for (const desk of week.desks) if (desk.isPaused) await setPaused(desk, false);
}
