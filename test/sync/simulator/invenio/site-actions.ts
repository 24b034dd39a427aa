import { version } from "../../../../shared/version.ts";
import type { Content } from "../../../support/fake-invenio/state.ts";
import type { FaultKind } from "../../../support/fake-invenio/switches.ts";
import type { Action, Actions, Scene } from "./desk-actions.ts";
import type { InvenioWorld } from "./invenio-world.ts";
import { type Made, marksIn } from "./work-ledger.ts";

const draftsOn = ({ site }: InvenioWorld, copies: Content[]): Content[] =>
  copies.filter((copy) => site.state.drafts.get(copy.id) === copy);

/** A draft on the site that a desk has made, and that is no twin. */
function anyDraftThere(world: InvenioWorld): { made: Made; draft: Content } | undefined {
  const found = world.ledger.made.flatMap((made) => {
    const [draft] = draftsOn(world, world.copiesOf(made));
    return draft ? [{ made, draft }] : [];
  });
  return world.pick(found, ({ made }) => made.name);
}

const fields = ["publisher", "version", "description"] as const;
const markedValue = (field: string, mark: string): string => (field === "description" ? `<p>${mark}</p>` : mark);

/** Values of desks that the saved page puts back must be kept by them, where that can be told (rule E6). */
function dropUntold({ ledger }: InvenioWorld, name: string, present: string, put: string): void {
  const kept = new Set(marksIn(put));
  const reverted = marksIn(present).filter((mark) => !kept.has(mark));
  for (const mark of reverted) {
    const at = ledger.changes.findLastIndex((change) => change.name === name && change.after.includes(mark));
    const change = ledger.changes[at];
    const isLast = !ledger.changes.slice(at + 1).some((later) => later.name === name && later.field === change?.field);
    const isExact = change !== undefined && isLast && ["publisher", "version"].includes(change.field);
    const before = marksIn(change?.before ?? "");
    const isBack =
      before.length === 0 ? !put.includes(mark) && change?.before !== "null" : before.every((m) => kept.has(m));
    if (isExact && isBack) ledger.putBack.push({ mark, name });
    else ledger.dropped.add(mark);
  }
}

/** Somebody writes a mark into a draft. */
async function writeThere(world: InvenioWorld, made: Made, id: string): Promise<string | undefined> {
  const { chance, ledger } = world;
  const at = `/api/records/${id}/draft`;
  const { status, body } = await world.browse("GET", at);
  if (status !== 200) return undefined;
  const field = chance.pick(fields) ?? "publisher";
  const mark = ledger.newMark();
  const metadata = { ...body.metadata, [field]: markedValue(field, mark) };
  ledger.drop(JSON.stringify(body.metadata), JSON.stringify(metadata));
  // A desk that has not looked since sees this value alone, as one that somebody wrote over the user's.
  for (const { mark, name } of ledger.putBack)
    if (name === made.name && ledger.changes.some((change) => change.field === field && change.after.includes(mark)))
      ledger.dropped.add(mark);
  await world.browse("PUT", at, { ...body, metadata });
  // Somebody else's value stands after those of the desks.
  ledger.changes.push({ name: made.name, field, desk: "browser", before: "", after: mark });
  world.watch.look();
  return `somebody writes ${mark} into ${field} of ${made.name}`;
}

const editThere: Action = async ({ world }) => {
  const found = anyDraftThere(world);
  return found && writeThere(world, found.made, found.draft.id);
};

/** A record on the site that came from a desk. */
function anyRecordThere(world: InvenioWorld): { made: Made; record: Content } | undefined {
  const { records } = world.site.state;
  const found = world.ledger.made.flatMap((made) => {
    const record = world.copiesOf(made).findLast((copy) => records.get(copy.id) === copy);
    return record ? [{ made, record }] : [];
  });
  return world.pick(found, ({ made }) => made.name);
}

async function editRecordThere({ world }: Scene): Promise<string | undefined> {
  const found = anyRecordThere(world);
  if (!found) return undefined;
  await world.browse("POST", `/api/records/${found.record.id}/draft`);
  return writeThere(world, found.made, found.record.id);
}

/** An edit of a record is given up after a desk has seen it, and begun again. Its revision may be lower then, or the same. */
async function startOver({ world, desk }: Scene): Promise<string | undefined> {
  const { site, ledger, chance } = world;
  if (!anyRecordThere(world)) {
    await fileThere({ world, desk });
    await publishThere({ world, desk });
  }
  const found = anyRecordThere(world);
  if (!found) return undefined;
  const { made, record } = found;
  const at = `/api/records/${record.id}/draft`;
  const written: (string | undefined)[] = [];
  const begin = async (): Promise<void> => {
    await world.browse("POST", at);
    for (let saves = chance.below(3); saves >= 0; saves--) written.push(await writeThere(world, made, record.id));
  };
  // The site counts the revisions of a draft that is over for an hour more.
  if (chance.happens(0.5)) world.pass(3_700);
  await begin();
  desk.upstream.lookNow?.();
  if (!desk.needsSignIn) await desk.pullAll();
  const draft = site.state.drafts.get(record.id);
  if (!draft) return undefined;
  await world.browse("DELETE", at);
  ledger.drop(JSON.stringify(draft.metadata), JSON.stringify(record.metadata));
  for (const { mark, name } of ledger.putBack) if (name === made.name) ledger.dropped.add(mark);
  world.pass(3_700);
  written.push("gives it up");
  await begin();
  return `somebody edits the record of ${made.name}: ${written.join(", ")}`;
}

async function openTab({ world }: Scene): Promise<string | undefined> {
  const found = anyDraftThere(world);
  if (!found) return undefined;
  const { status, body } = await world.browse("GET", `/api/records/${found.draft.id}/draft`);
  if (status !== 200) return undefined;
  world.tab = { id: found.draft.id, name: found.made.name, body };
  return `a page of ${found.made.name} is opened`;
}

async function saveTab({ world }: Scene): Promise<string | undefined> {
  const { tab, site, ledger } = world;
  const draft = tab && site.state.drafts.get(tab.id);
  if (!tab || !draft) return undefined;
  const put = JSON.stringify(tab.body.metadata);
  dropUntold(world, tab.name, JSON.stringify(draft.metadata), put);
  await world.browse("PUT", `/api/records/${tab.id}/draft`, tab.body);
  ledger.changes.push({ name: tab.name, field: "*", desk: "browser", before: "", after: "" });
  world.tab = undefined;
  world.watch.look();
  return `the old page of ${tab.name} is saved`;
}

async function fileThere({ world }: Scene): Promise<string | undefined> {
  const found = anyDraftThere(world);
  // The files of a published record cannot change.
  if (!found?.draft.filesEnabled || world.site.state.records.has(found.draft.id)) return undefined;
  const { made, draft } = found;
  const key = ["a.csv", "b.csv", "z.csv"].find((name) => !draft.files.has(name));
  if (key === undefined) return undefined;
  const mark = world.ledger.newMark();
  const at = `/api/records/${draft.id}/draft/files`;
  await world.browse("POST", at, [{ key }]);
  await world.browseBytes(`${at}/${key}/content`, `their bytes of ${mark}`);
  await world.browse("POST", `${at}/${key}/commit`);
  return `somebody adds ${key} (${mark}) to ${made.name}`;
}

async function publishThere({ world }: Scene): Promise<string | undefined> {
  const found = anyDraftThere(world);
  if (!found) return undefined;
  const { status } = await world.browse("POST", `/api/records/${found.draft.id}/draft/actions/publish`);
  world.watch.look();
  return `somebody publishes ${found.made.name} (${status})`;
}

async function discardThere({ world }: Scene): Promise<string | undefined> {
  const found = anyDraftThere(world);
  if (!found) return undefined;
  const { made, draft } = found;
  const files = [...draft.files.values()].map(({ bytes }) => bytes?.toString() ?? "");
  await world.browse("DELETE", `/api/records/${draft.id}/draft`);
  world.ledger.drop(JSON.stringify(draft.metadata) + files.join());
  // What an old page took away went with the draft, before any desk could see it.
  for (const { mark, name } of world.ledger.putBack) if (name === made.name) world.ledger.dropped.add(mark);
  made.isDiscarded = true;
  return `somebody discards ${made.name}`;
}

const badMoments: readonly FaultKind[] = ["done-but-500", "queue-down", "late-504", "html-502", "lost-after"];

export const siteActions: Actions = {
  "site: edit": editThere,
  "site: edit record": editRecordThere,
  "site: start over": startOver,
  "site: open page": openTab,
  "site: save old page": saveTab,
  "site: add file": fileThere,
  "site: publish": publishThere,
  "site: discard": discardThere,
  async "site: comment"({ world }) {
    const payload = { content: `They say ${world.ledger.newMark()}`, format: "html" };
    await world.browse("POST", `/api/requests/${world.request}/comments`, { payload });
    return "somebody comments";
  },
  async "site: late lists"({ world }) {
    world.site.switches.indexLagMs = world.chance.below(3) * 20_000;
    return `lists are ${world.site.switches.indexLagMs} ms late`;
  },
  /** An operator adds a rule, or ends it: a save stores no version then, and says so (F4). */
  async "site: own rule"({ world }) {
    const { switches, state } = world.site;
    if (switches.ownRules.delete("version")) return "a version may be anything again";
    switches.ownRules.set("version", "Use a number.");
    // The next save of each takes it away, whoever makes it.
    for (const { metadata } of [...state.drafts.values(), ...state.records.values()])
      world.ledger.drop(String(metadata.version));
    return "no version is stored";
  },
  /** The next call that writes has no answer, or one that says nothing. */
  async "site: bad moment"({ world }) {
    world.badMoment.kind = world.chance.pick(badMoments);
    return `the next call that writes meets ${world.badMoment.kind}`;
  },
  /** A day later, so that the desks walk over everything. */
  async "site: rebuild index"({ world }) {
    const { site, chance, desks } = world;
    // Only lists tell a restored desk what it has done.
    if (desks.some(({ wasRestored }) => wasRestored)) return undefined;
    world.pass(86_500);
    const { drafts, records } = site.state;
    const keys = [...drafts.keys(), ...records.keys()].filter(() => chance.happens(0.7));
    site.index.build(site.clock.now() + 120_000, keys);
    return `a day passes, and no list shows ${keys.length} drafts and records for two minutes`;
  },
  /** Everybody behind one address shares its budget. */
  async "site: busy address"({ world }) {
    const { site, chance } = world;
    const share = chance.below(15) / 100;
    for (let left = Number.POSITIVE_INFINITY, most = 0; left > share * most; ) {
      const { headers } = site.limits.count(`Carrel/${version} desk`, true, false);
      [left, most] = [Number(headers["x-ratelimit-remaining"]), Number(headers["x-ratelimit-limit"])];
      if (left === 0) break;
    }
    return `others leave ${share} of the calls`;
  },
  async "site: few calls"({ world }) {
    const { limits } = world.site;
    limits.override = limits.override ? undefined : { minute: 15 + world.chance.below(30), hour: 10_000 };
    return limits.override ? `the site takes ${limits.override.minute} calls a minute` : "the site takes more calls";
  },
};
