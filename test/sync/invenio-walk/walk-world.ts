import { fakeOf } from "../../support/desk-site.ts";
import { complete } from "../../support/fake-invenio/complete.ts";
import type { ProfileName } from "../../support/fake-invenio/profile.ts";
import { addFile, must } from "../../support/files.ts";
import { type Desk, givenDesk, givenDraftThere } from "../../support/invenio-desk.ts";

/** A draft that the user made here, and what they last wrote into it. */
export interface Made {
  /** Its id at first. The site gives another. */
  localId: string;
  /** A family name of a creator, which nothing edits: the draft is told by it. */
  name: string;
  fields: Map<string, string>;
  files: Map<string, string>;
  isDiscarded: boolean;
  presses: number;
}

/** What the user did, so that its effect can be looked for. */
export interface World extends Desk {
  made: Made[];
  /** Texts of comments written here. */
  said: string[];
  request: string;
  isPaused: boolean;
  isSignedOut: boolean;
  /** Passes time on both sides, and lets the replica work. */
  tick(seconds: number): Promise<void>;
}

const say = (content: string) => ({ payload: { content, format: "html" } });

/** A wait that ends also when the connection is lost. */
const bounded = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 500))]);

export async function openWorld(profile: ProfileName): Promise<World> {
  let request = "";
  const desk = await givenDesk({ profile }, async (ada, there) => {
    const body = { slug: "tides", metadata: { title: "Tides" }, access: { visibility: "public" } };
    const community = must(await there.person("grace").client.post("/api/communities", body), 201).body.id;
    const draft = await givenDraftThere(ada, "In review");
    await addFile(ada, draft, "tides.csv", "hour,height");
    const review = { type: "community-submission", receiver: { community } };
    must(await ada.put(`/api/records/${draft}/draft/review`, review), 200);
    const submitted = await ada.post(`/api/records/${draft}/draft/actions/submit-review`, say("Please"));
    request = must(submitted, 202).body.id;
  });
  const world: World = {
    ...desk,
    ...{ made: [], said: [], request, isPaused: false, isSignedOut: false },
    async tick(seconds) {
      desk.advance(seconds);
      desk.there.site.clock.advance(seconds * 1000);
      if (world.isPaused) return;
      await desk.desk.post("/api/sync/run");
      await bounded(desk.replica.engine.flush());
    },
  };
  return world;
}

/** The draft as this replica has it; undefined if it is not here. */
export async function draftHere({ desk }: World, { localId }: Made) {
  const { status, body } = await desk.get(`/api/records/${localId}/draft`);
  return status === 200 ? body : undefined;
}

export async function createDraft(world: World, name: string): Promise<void> {
  const creators = [{ person_or_org: { type: "personal", family_name: name, given_name: "Ada" } }];
  const { files: _, ...body } = complete;
  const metadata = { ...body.metadata, title: `Title of ${name}`, publisher: "A press", creators };
  const { body: draft } = must(await world.desk.post("/api/records", { ...body, metadata }), 201);
  const fields = new Map([["title", metadata.title]]);
  world.made.push({ localId: draft.id, name, fields, files: new Map(), isDiscarded: false, presses: 0 });
}

export async function editDraft(world: World, made: Made, field: string, value: string): Promise<void> {
  const draft = await draftHere(world, made);
  if (!draft) return;
  const metadata = { ...draft.metadata, [field]: value };
  const saved = await world.desk.put(`/api/records/${draft.id}/draft`, { ...draft, metadata });
  if (saved.status === 200) made.fields.set(field, value);
}

/** The site's own copy of a draft made here, told by its creator; drafts that no list shows are left out. */
export const copiesThere = (world: World, { name }: Made) =>
  [...fakeOf(world).state.drafts.values(), ...fakeOf(world).state.records.values()].filter((content) =>
    JSON.stringify(content.metadata.creators ?? "").includes(`"${name}"`),
  );

/** The user edits on the site itself. */
export async function editThere(world: World, made: Made, field: string, value: string): Promise<void> {
  const [there] = copiesThere(world, made);
  if (!there) return;
  const { client } = world.ada;
  const { status, body } = await client.get(`/api/records/${there.id}/draft`);
  if (status !== 200) return;
  await client.put(`/api/records/${there.id}/draft`, { ...body, metadata: { ...body.metadata, [field]: value } });
}

export async function addFileHere(world: World, made: Made, key: string, bytes: string): Promise<void> {
  const draft = await draftHere(world, made);
  if (!draft || made.files.has(key)) return;
  const path = `/api/records/${draft.id}/draft/files`;
  if ((await world.desk.post(path, [{ key }])).status !== 201) return;
  // The draft may get its id there at this moment.
  if ((await world.desk.putBytes(`${path}/${key}/content`, bytes)).status !== 200) return;
  if ((await world.desk.post(`${path}/${key}/commit`)).status === 200) made.files.set(key, bytes);
}

export async function comment(world: World, text: string): Promise<void> {
  const { status } = await world.desk.post(`/api/requests/${world.request}/comments`, say(text));
  if (status === 201) world.said.push(text);
}

export async function press(world: World, made: Made): Promise<void> {
  const draft = await draftHere(world, made);
  if (!draft) return;
  made.presses++;
  await world.desk.post(`/api/records/${draft.id}/draft/actions/publish`);
}

export async function discard(world: World, made: Made): Promise<void> {
  const draft = await draftHere(world, made);
  if (draft && (await world.desk.delete(`/api/records/${draft.id}/draft`)).status === 204) made.isDiscarded = true;
}

export async function setPaused(world: World, isPaused: boolean): Promise<void> {
  await world.desk.post(`/api/sync/${isPaused ? "pause" : "resume"}`);
  world.isPaused = isPaused;
}

export function signOut(world: World): void {
  if (!world.isSignedOut) fakeOf(world).revoke(world.ada.token);
  world.isSignedOut = true;
}

export async function signIn(world: World): Promise<void> {
  if (!world.isSignedOut) return;
  world.ada = world.there.person("ada");
  // Connecting is not repeated by itself.
  fakeOf(world).switches.clearFaults();
  must(await world.desk.post("/api/sync/connect", { server: world.there.url, token: world.ada.token }), 200);
  world.isSignedOut = false;
}

/** Operations that are not sent, without publications, which wait for the user. */
async function unsent({ desk }: World): Promise<{ kind: string; message?: string }[]> {
  const { hits } = (await desk.get("/api/sync/operations?size=200")).body.hits;
  return hits.filter(({ kind }: { kind: string }) => kind !== "draft.publish");
}

const mostRounds = 60;

async function isSettled(world: World): Promise<boolean> {
  const { online } = (await world.desk.get("/api/sync/status")).body;
  return online && (await unsent(world)).length === 0;
}

/** The user presses again what they had wanted to publish. */
async function pressAgain(world: World): Promise<void> {
  const { hits } = (await world.desk.get("/api/sync/operations?size=200")).body.hits;
  for (const { kind, object } of hits) {
    const made = kind === "draft.publish" && (await findMade(world, object.id));
    if (made) await press(world, made);
  }
}

async function findMade(world: World, id: string): Promise<Made | undefined> {
  for (const made of world.made) if ((await draftHere(world, made))?.id === id) return made;
  return undefined;
}

/** Ends all faults, then lets everything settle. */
export async function heal(world: World): Promise<void> {
  fakeOf(world).switches.clearFaults();
  fakeOf(world).switches.indexLagMs = 0;
  if (world.isPaused) await setPaused(world, false);
  await signIn(world);
  for (let rounds = 0; !(await isSettled(world)); rounds++) {
    if (rounds > mostRounds) throw new Error(`not settled: ${JSON.stringify(await unsent(world))}`);
    await world.tick(65);
    await pressAgain(world);
  }
  // A day later everything is walked over.
  for (const seconds of [86_500, 60, 60]) await world.tick(seconds);
}
