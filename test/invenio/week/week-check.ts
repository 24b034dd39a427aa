import { draftHere, type Made, unsent, type Week, type WeekDesk } from "./week-world.ts";

interface There {
  id: string;
  is_published: boolean;
  is_draft: boolean;
  metadata: Record<string, unknown>;
}

/** What the user was told instead of having it done: the tray and the conflicts of both desks. */
export async function reportsTo({ desks }: Week): Promise<{ tray: { kind: string; reason: string }[]; text: string }> {
  const reported: { kind: string; reason: string }[] = [];
  let conflicts = "";
  for (const { client } of desks) {
    reported.push(...(await client.get("/api/sync/tray?size=500")).body.hits.hits);
    conflicts += JSON.stringify((await client.get("/api/sync/conflicts?size=500")).body);
  }
  return { tray: reported, text: JSON.stringify(reported) + conflicts };
}

async function listThere({ browser, site }: Week): Promise<There[]> {
  await site.listed();
  const found: There[] = [];
  for (let page = 1; ; page++) {
    const { hits } = (await browser.get(`/api/user/records?size=100&page=${page}`)).body.hits;
    found.push(...hits);
    if (hits.length < 100) return found;
  }
}

async function wrongFields(week: Week, made: Made, there: There, reported: string): Promise<string[]> {
  const isDraft = !there.is_published || there.is_draft;
  const { body } = await week.browser.get(`/api/records/${there.id}${isDraft ? "/draft" : ""}`);
  const wrong: string[] = [];
  for (const [field, value] of made.fields) {
    const stands = body.metadata[field];
    if (stands !== value && !reported.includes(value))
      wrong.push(`${made.name}: ${field} is “${stands}”, not “${value}”, and nobody was told`);
  }
  if (String(body.metadata.version).startsWith("carrel:")) wrong.push(`${made.name}: the marker was left in`);
  return wrong;
}

async function wrongFiles(week: Week, made: Made, there: There, reported: string): Promise<string[]> {
  const part = there.is_published ? "" : "/draft";
  const { body } = await week.browser.get(`/api/records/${there.id}${part}/files`);
  const sums = new Map(body.entries.map(({ key, checksum }: Record<string, string>) => [key, checksum]));
  return [...made.files].flatMap(([key, md5]) =>
    sums.get(key) === md5 || reported.includes(key) ? [] : [`${made.name}/${key} is ${sums.get(key)}, not ${md5}`],
  );
}

/** Both desks show what the server has. */
async function wrongHere(desk: WeekDesk, there: There): Promise<string[]> {
  if (there.is_published) return [];
  const here = await draftHere(desk, there.id);
  const shown = ["title", "publisher", "version", "description"].filter(
    (field) => here?.metadata[field] !== there.metadata[field],
  );
  return shown.map(
    (field) => `the ${desk.name} shows “${here?.metadata[field]}” for ${field}, the server “${there.metadata[field]}”`,
  );
}

async function wrongDraft(week: Week, made: Made, list: There[], reported: string): Promise<string[]> {
  const copies = list.filter(({ metadata }) => JSON.stringify(metadata.creators ?? "").includes(`"${made.name}"`));
  const [there] = copies;
  const isReported = reported.includes(made.name);
  if (made.isDiscarded) return copies.length > 0 && !isReported ? [`${made.name} was discarded and is there`] : [];
  if (copies.length > 1) return [`${made.name} is there ${copies.length} times`];
  if (!there) return isReported ? [] : [`${made.name} is nowhere`];
  const wrong = [
    ...(await wrongFields(week, made, there, reported)),
    ...(await wrongFiles(week, made, there, reported)),
  ];
  for (const desk of week.desks) wrong.push(...(await wrongHere(desk, there)));
  return wrong;
}

async function wrongComments({ browser, request, said }: Week, reported: string): Promise<string[]> {
  const { hits } = (await browser.get(`/api/requests/${request}/timeline?size=1000`)).body.hits;
  const texts: string[] = hits.map(({ payload }: { payload: { content?: string } }) => payload.content);
  return said.flatMap((text) => {
    const count = texts.filter((one) => one === text).length;
    return count === 1 || (count === 0 && reported.includes(text)) ? [] : [`“${text}” stands ${count} times`];
  });
}

/** Publications are called for by a press each, never twice. */
function wrongPublications({ site, made }: Week): string[] {
  const calls = site.calls.filter(({ method, path }) => method === "POST" && path.endsWith("/actions/publish"));
  const presses = made.reduce((sum, { presses: count }) => sum + count, 0);
  return calls.length > presses ? [`${calls.length} publications were sent for ${presses} presses`] : [];
}

/** Everything that is otherwise than people did, and that nobody was told of. */
export async function faultsAtTheEnd(week: Week): Promise<string[]> {
  const { text } = await reportsTo(week);
  const list = await listThere(week);
  const faults = [...(await wrongComments(week, text)), ...wrongPublications(week)];
  for (const made of week.made) faults.push(...(await wrongDraft(week, made, list, text)));
  for (const desk of week.desks) {
    const waiting = await unsent(desk);
    const { state, last_error } = (await desk.client.get("/api/sync/status")).body;
    if (waiting.length === 0) continue;
    const kinds = waiting.map(({ kind, message }) => (message ? `${kind} (${message})` : kind)).join(", ");
    faults.push(`${waiting.length} operations wait at the ${desk.name}, ${state}, ${last_error}: ${kinds}`);
  }
  return faults;
}
