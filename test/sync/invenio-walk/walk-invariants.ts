import { fakeOf } from "../../support/desk-site.ts";
import type { Made, World } from "./walk-world.ts";
import { copiesThere, draftHere } from "./walk-world.ts";

/** What is made by path and method (upstreams 3 and 4). */
const allowed: readonly [methods: string, path: RegExp][] = [
  ["GET", /^\/api\/(me|user\/records|requests\/|users\/\d+|vocabularies\/\w+|records|communities\/[\w-]+)$/],
  ["GET", /^\/api\/requests\/[\w-]+(\/timeline|\/comments\/[\w-]+(\/replies)?)?$/],
  ["GET", /^\/api\/records\/[\w-]+(\/draft)?(\/files(\/.+)?)?$/],
  ["POST", /^\/api\/records(\/[\w-]+\/(draft|versions|draft\/actions\/(publish|files-import)))?$/],
  ["PUT DELETE", /^\/api\/records\/[\w-]+\/draft$/],
  ["POST PUT DELETE", /^\/api\/records\/[\w-]+\/draft\/files(\/.+)?$/],
  ["POST PUT DELETE", /^\/api\/requests\/[\w-]+\/comments(\/[\w-]+(\/reply)?)?$/],
];

const ours = ({ there }: World) =>
  there.site.calls.filter(({ headers }) => headers["user-agent"]?.startsWith("Carrel/"));

/** Only calls of the table (U9). */
function strayCalls(world: World): string[] {
  return ours(world)
    .filter(
      ({ method, path }) => !allowed.some(([methods, at]) => methods.split(" ").includes(method) && at.test(path)),
    )
    .map(({ method, path }) => `U9: ${method} ${path}`);
}

/** Publishing was pressed each time it was called, and the draft was looked at after its last save (U1). */
function wrongPublications(world: World): string[] {
  const calls = ours(world);
  const publications = calls.flatMap((call, at) => (call.path.endsWith("/actions/publish") ? [{ ...call, at }] : []));
  const wrong = publications.filter(({ path, at }) => {
    const draft = path.replace("/actions/publish", "");
    const last = (method: string) =>
      calls.findLastIndex((call, i) => i < at && call.method === method && call.path === draft);
    return last("GET") < last("PUT");
  });
  const presses = world.made.reduce((sum, { presses: count }) => sum + count, 0);
  return [
    ...wrong.map(({ path }) => `U1: ${path} without a look`),
    ...(publications.length > presses ? [`U1: ${publications.length} publications of ${presses} presses`] : []),
  ];
}

/** Checked at every step. */
export async function violationsNow(world: World): Promise<string[]> {
  const { state, pending, sending } = (await world.desk.get("/api/sync/status")).body;
  const isTooSure = state === "up_to_date" && pending + sending > 0;
  return [
    ...strayCalls(world),
    ...wrongPublications(world),
    ...(isTooSure ? [`U10: up to date with ${pending + sending} unsent`] : []),
  ];
}

async function lostEdits(world: World, made: Made, refused: string): Promise<string[]> {
  const [there] = copiesThere(world, made);
  const here = await draftHere(world, made);
  const conflicts = JSON.stringify((await world.desk.get("/api/sync/conflicts?size=200")).body);
  return [...made.fields].flatMap(([field, value]) => {
    const stands = there?.metadata[field] === value;
    const isTold = refused.includes(value) || conflicts.includes(value) || here?.metadata[field] === value;
    return stands || isTold ? [] : [`U3: ${made.name}.${field} = ${value} is lost, ${there?.metadata[field]} stands`];
  });
}

async function wrongDrafts(world: World, made: Made, refused: string): Promise<string[]> {
  const copies = new Set(copiesThere(world, made).map(({ id }) => id));
  const isRefused = refused.includes(made.name);
  if (made.isDiscarded) return copies.size > 0 && !isRefused ? [`U2: ${made.name} was discarded and is there`] : [];
  if (copies.size > 1) return [`U2: ${made.name} is there ${copies.size} times`];
  if (copies.size === 0) return isRefused ? [] : [`U2: ${made.name} is nowhere`];
  return lostEdits(world, made, refused);
}

function wrongFiles(world: World, made: Made, refused: string): string[] {
  const [there] = copiesThere(world, made);
  if (!there || made.isDiscarded) return [];
  return [...made.files].flatMap(([key, bytes]) => {
    const file = there.files.get(key);
    const isThere = file?.status === "completed" && file.bytes?.toString() === bytes;
    return isThere || refused.includes(key) ? [] : [`U5: ${made.name}/${key} is ${file?.status ?? "missing"}`];
  });
}

function wrongComments(world: World, refused: string): string[] {
  const { request, said } = world;
  const there = fakeOf(world).state.requests.get(request)?.comments ?? [];
  return said.flatMap((text) => {
    const count = there.filter(({ content }) => content === text).length;
    return count === 1 || (count === 0 && refused.includes(text)) ? [] : [`U4: “${text}” stands ${count} times`];
  });
}

/** What the user has on the site and a list shows must be here (U8), and no marker may be left (U2). */
async function missingHere(world: World): Promise<string[]> {
  const { ada, desk } = world;
  const { state } = fakeOf(world);
  const listed = (await ada.client.get("/api/user/records?size=100")).body.hits.hits as { id: string | number }[];
  const missing: string[] = [];
  for (const { id } of listed) {
    const isDraft = state.drafts.has(String(id));
    const { status } = await desk.get(`/api/records/${id}${isDraft ? "/draft" : ""}`);
    if (status !== 200) missing.push(`U8: ${id} is not here (${status})`);
    const { version } = state.drafts.get(String(id))?.metadata ?? {};
    if (String(version).startsWith("carrel:")) missing.push(`U2: the marker is left in ${id}`);
  }
  return missing;
}

/** Checked once everything has settled. */
export async function violationsAtTheEnd(world: World): Promise<string[]> {
  const { hits } = (await world.desk.get("/api/sync/tray?size=200")).body.hits;
  const refused = JSON.stringify(hits);
  const found = [...(await violationsNow(world)), ...wrongComments(world, refused), ...(await missingHere(world))];
  for (const made of world.made)
    found.push(...(await wrongDrafts(world, made, refused)), ...wrongFiles(world, made, refused));
  return found;
}
