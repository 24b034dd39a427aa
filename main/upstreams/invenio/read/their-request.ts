import { z } from "zod";
import type { Bundle, BundleRow } from "../../../../shared/bundles/bundle.schema.ts";
import { cleanComment } from "../../../../shared/comments/comment-html.ts";
import { parseTime } from "../../../../shared/kernel/timestamps.ts";
import type { Shadow } from "../shadow.repository.ts";
import { theirId } from "./their-record.ts";

const json = z.record(z.string(), z.unknown());
const time = z.string().max(60);
/** `{ user: id }`, `{ community: id }` and the like. */
const named = z
  .record(z.string(), z.union([z.string(), z.int()]).transform(String))
  .nullish()
  .transform((one) => one ?? {});
const expanded = json.nullish();

const oneEvent = z.looseObject({
  id: z.uuid(),
  type: z.string().max(20),
  created: time,
  updated: time,
  revision_id: z.int().default(1),
  created_by: named,
  parent_id: z.string().nullish(),
  payload: z
    .looseObject({
      content: z.string().nullish(),
      event: z.string().max(100).nullish(),
    })
    .nullish(),
  expanded,
});

/** A request as their API presents it. */
export const theirRequest = z.looseObject({
  id: z.uuid(),
  number: z.union([z.string(), z.int()]).transform(String).default(""),
  type: z.string().max(100),
  title: z.string().nullish(),
  description: z.string().nullish(),
  status: z.string().max(50),
  created_by: named,
  receiver: named,
  topic: named,
  created: time,
  updated: time,
  last_activity_at: time.nullish(),
  /** The newest comment, from version 14. In lists it lacks its `parent_id`. */
  last_reply: oneEvent.nullish().catch(null),
  expires_at: time.nullish(),
  is_open: z.boolean().default(false),
  is_locked: z.boolean().default(false),
  revision_id: z.int(),
  links: z.looseObject({ actions: json.default({}) }).prefault({}),
  expanded,
});
export type TheirRequest = z.infer<typeof theirRequest>;

export const theirRequests = z.looseObject({ hits: z.looseObject({ hits: z.array(z.unknown()).max(10_000) }) });

/** A comment or a log event. Replies stand below their comment, as far as the list shows them. */
export const theirEvent = oneEvent.extend({
  children: z.array(oneEvent).default([]),
  children_count: z.int().default(0),
});
export type TheirEvent = z.infer<typeof oneEvent>;
export const theirEvents = z.looseObject({ hits: z.looseObject({ hits: z.array(theirEvent).max(10_000) }) });

const micros = (text: string | null | undefined): number => parseTime(text ?? "") ?? 0;

/** The name of whoever acts: a user, the system, or a guest. */
const actorOf = ({ user }: Record<string, string>): string =>
  theirId.safeParse(user).success ? String(user) : "guest";

/** A user's public card, where an answer has it. */
function cardIn(expandedPart: Record<string, unknown> | null | undefined, name: string): BundleRow[] {
  const card = expandedPart?.[name] as
    | { id?: unknown; username?: unknown; profile?: { full_name?: unknown } }
    | undefined;
  const id = theirId.safeParse(card?.id);
  const { username, profile } = card ?? {};
  if (!id.success || (typeof username !== "string" && typeof profile?.full_name !== "string")) return [];
  return [
    {
      ...{ id: id.data, username: typeof username === "string" ? username : `user-${id.data}`, email: "" },
      full_name: typeof profile?.full_name === "string" ? profile.full_name : "",
      ...{ affiliations: "", active: 1, confirmed: 1, visibility: "public", email_visibility: "restricted" },
      ...{ preferences: "{}", created: 0, updated: 0, revision_id: 1 },
    },
  ];
}

function eventRow(event: TheirEvent, requestId: string, parentId: string | null, position: number): BundleRow {
  const isComment = event.type === "C";
  return {
    id: event.id,
    request_id: requestId,
    parent_id: parentId,
    type: isComment ? "C" : "L",
    event: isComment ? null : (event.payload?.event ?? "other"),
    content: isComment ? cleanComment(event.payload?.content ?? "") : "",
    format: "html",
    about: null,
    creator_id: actorOf(event.created_by),
    created: micros(event.created),
    updated: micros(event.updated),
    revision_id: Math.max(1, event.revision_id),
    position,
  };
}

/** An event with the comment that it replies to. */
export interface ConversationEvent {
  event: TheirEvent;
  parentId: string | null;
}

/** Keeps stored events that the list lacks: lists are late. A deleted comment becomes a log line with the same id. */
function eventRows(requestId: string, events: readonly ConversationEvent[], known: readonly BundleRow[]): BundleRow[] {
  const listed = new Set(events.map(({ event }) => event.id));
  const rows = events.map(({ event, parentId }) => eventRow(event, requestId, parentId, 0));
  return [...rows, ...known.filter(({ id }) => !listed.has(String(id)))]
    .toSorted((a, b) => Number(a.created) - Number(b.created))
    .map((row, index) => ({ ...row, position: index + 1 }));
}

const nameOf = (one: Record<string, string>): string => {
  const [first] = Object.entries(one);
  return first && theirId.safeParse(first[1]).success ? `${first[0]}:${first[1]}` : "nobody";
};

function requestRows(
  theirs: TheirRequest,
  { parentId, title }: Pick<Around, "parentId" | "title">,
): Pick<Bundle["rows"], string> {
  const { id, receiver, topic } = theirs;
  const activity = Math.max(micros(theirs.last_activity_at), micros(theirs.updated));
  const record = theirId.safeParse(topic.record);
  const row: BundleRow = {
    ...{ id, number: theirs.number, title: theirs.title ?? "", description: theirs.description ?? null },
    status: theirs.status === "created" ? "draft" : theirs.status,
    creator_id: actorOf(theirs.created_by),
    receiver_id: receiver.user ?? nameOf(receiver),
    reviewers: "[]",
    topic_record_id: record.success ? record.data : nameOf(topic),
    topic_parent_id: parentId ?? "unknown",
    expires_at: theirs.expires_at ? micros(theirs.expires_at) : null,
    is_locked: theirs.is_locked ? 1 : 0,
    last_activity_at: activity,
    ...{ created: micros(theirs.created), updated: micros(theirs.updated) },
    revision_id: Math.max(1, theirs.revision_id),
  };
  const foreign: BundleRow = {
    request_id: id,
    type: theirs.type,
    their_receiver: JSON.stringify({ ...receiver, ...(title === undefined ? {} : { title }) }),
    their_topic: JSON.stringify(topic),
    offered: JSON.stringify(Object.keys(theirs.links.actions)),
  };
  return { request: [row], access_request: [], foreign_request: [foreign], event_file: [] };
}

/** What is known of a request besides its body. */
interface Around {
  before: Shadow | undefined;
  /** The family of its record. */
  parentId: string | undefined;
  /** The title of the receiving community. */
  title: string | undefined;
  /** Microseconds UTC, by the clock here. */
  now: number;
  /** The user here. */
  user: string;
  /** The position of the newest operation here. */
  newest: number;
}

/** When a request last moved, as its list says. Version 13 does not say when somebody wrote into it. */
export const activityOf = ({ last_activity_at, updated }: TheirRequest): number => micros(last_activity_at ?? updated);

/** How long a conversation may lag behind its request: it is a list of their index (upstreams F17). */
const lagMicros = 10_000_000;
/** What moved longer ago is listed; their clock may differ from ours. */
const listedMicros = 600_000_000;

/** Whether a conversation was read so soon after its request had moved that it may lack the newest events. */
export function mayLackEvents({ revisions }: Shadow, id: string): boolean {
  const [moved, read] = [revisions[`moved:${id}`], revisions[`read:${id}`]];
  return moved !== undefined && read !== undefined && read - moved < lagMicros;
}

/** When this replica read that a request had changed, and when it read the conversation since. */
function timesOf(theirs: TheirRequest, isRead: boolean, { before, now }: Around): Record<string, number> {
  const { id, revision_id } = theirs;
  const known = before?.revisions ?? {};
  const isSame = known[`request:${id}`] === revision_id && known[`activity:${id}`] === activityOf(theirs);
  const moved = (isSame ? known[`moved:${id}`] : undefined) ?? Math.min(now, activityOf(theirs) + listedMicros);
  return { [`moved:${id}`]: moved, [`read:${id}`]: isRead ? now : (known[`read:${id}`] ?? 0) };
}

/**
 * The newest operation here when each comment of the user was first read. The user knew the comments that were read before
 * their operation. A replica that was restored from a backup does not know later ones.
 */
function firstSeenMarks(
  events: readonly ConversationEvent[],
  { before, user, newest }: Around,
): Record<string, number> {
  const marks = Object.entries(before?.revisions ?? {}).filter(([name]) => name.startsWith("heard:"));
  const known = new Set((before?.bundle.rows.event ?? []).map(({ id }) => id));
  const isNews = ({ event }: ConversationEvent) =>
    event.type === "C" && event.created_by.user === user && !known.has(event.id);
  return Object.fromEntries([...marks, ...events.filter(isNews).map(({ event }) => [`heard:${event.id}`, newest])]);
}

/** Whether a comment of the user was known here when they made an operation. */
export const wasKnown = (shadow: Shadow | undefined, commentId: string, operation: number): boolean =>
  shadow?.bundle.rows.event?.some(({ id }) => id === commentId) === true &&
  (shadow.revisions[`heard:${commentId}`] ?? 0) < operation;

/** @param events undefined keeps the stored conversation */
export function shadowOfRequest(
  theirs: TheirRequest,
  events: readonly ConversationEvent[] | undefined,
  around: Around,
): Shadow {
  const { id } = theirs;
  const { before } = around;
  const known = before?.bundle.rows.event ?? [];
  const event = events ? eventRows(id, events, known) : known;
  const cards = [
    ...cardIn(theirs.expanded, "created_by"),
    ...cardIn(theirs.expanded, "receiver"),
    ...(events ?? []).flatMap((one) => cardIn(one.event.expanded, "created_by")),
  ];
  const people = new Map([...(before?.bundle.people ?? []), ...cards].map((card) => [card.id, card]));
  return {
    revisions: {
      ...{ [`request:${id}`]: theirs.revision_id, [`activity:${id}`]: activityOf(theirs) },
      ...timesOf(theirs, events !== undefined, around),
      ...firstSeenMarks(events ?? [], around),
    },
    faults: {},
    bundle: { kind: "request", id, rows: { ...requestRows(theirs, around), event }, people: [...people.values()] },
  };
}
