import { type Tx, transaction } from "../../../shared/database/open.ts";
import { validateAnswer } from "../../sync/validate-answer.ts";
import type { Urgency } from "./budget.policy.ts";
import { communityTitle } from "./community-titles.ts";
import {
  type ConversationEvent,
  shadowOfRequest,
  type TheirRequest,
  theirEvents,
  theirRequest,
} from "./read/their-request.ts";
import { refusedRead } from "./rest-line.ts";
import { findFamilyOf, findShadow, putRemoved, putShadow } from "./shadow.repository.ts";
import type { Site } from "./site.ts";
import { newestOperation } from "./write/journal.repository.ts";

const pageSize = 100;

/** A request by id; undefined if this user cannot see it. @throws Failure the refusal */
export async function lookAtRequest(site: Site, id: string, urgency?: Urgency): Promise<TheirRequest | undefined> {
  const answer = await site.line.read(`/api/requests/${id}?expand=1`, urgency ? { urgency } : {});
  if ([403, 404, 410].includes(answer.status)) return undefined;
  if (answer.status !== 200) throw refusedRead(answer);
  return validateAnswer(theirRequest, answer.body);
}

async function eventsAt(site: Site, path: string, urgency: Urgency | undefined) {
  const answer = await site.line.read(path, urgency ? { urgency } : {});
  if (answer.status !== 200) throw refusedRead(answer);
  return validateAnswer(theirEvents, answer.body).hits.hits;
}

/** The newest events of a conversation, without replies that the list leaves out. */
async function listNewest(site: Site, id: string): Promise<ConversationEvent[]> {
  const hits = await eventsAt(site, `/api/requests/${id}/timeline?sort=newest&size=25&expand=1`, undefined);
  return hits.flatMap((event) => [
    { event, parentId: null },
    ...event.children.map((child) => ({ event: child, parentId: event.id })),
  ]);
}

/**
 * Adds the newest comment of a request that was read by its id. That one comes from the database, so it is there even if
 * no list will ever show it (upstreams F7). Version 13 does not have it.
 */
function withLastReply(events: ConversationEvent[], { last_reply }: TheirRequest): ConversationEvent[] {
  if (!last_reply || events.some(({ event }) => event.id === last_reply.id)) return events;
  return [...events, { event: last_reply, parentId: last_reply.parent_id ?? null }];
}

/** The newest events of a conversation, or the replies to one comment, and the newest comment of the request. */
export async function newestEvents(site: Site, id: string, parentId: string | null): Promise<ConversationEvent[]> {
  const events = parentId === null ? await listNewest(site, id) : await repliesTo(site, id, parentId);
  const theirs = await lookAtRequest(site, id);
  return theirs ? withLastReply(events, theirs) : events;
}

/** The replies to a comment. */
async function repliesTo(site: Site, id: string, comment: string, urgency?: Urgency): Promise<ConversationEvent[]> {
  const path = `/api/requests/${id}/comments/${comment}/replies?size=${pageSize}&expand=1`;
  return (await eventsAt(site, path, urgency)).map((event) => ({ event, parentId: comment }));
}

/** The whole conversation of a request. */
export async function readConversation(site: Site, id: string, urgency?: Urgency): Promise<ConversationEvent[]> {
  const events: ConversationEvent[] = [];
  for (let page = 1; ; page++) {
    const path = `/api/requests/${id}/timeline?sort=oldest&page=${page}&size=${pageSize}&expand=1`;
    const hits = await eventsAt(site, path, urgency);
    for (const event of hits) {
      events.push({ event, parentId: null });
      const isWhole = event.children_count <= event.children.length;
      const children = event.children.map((child) => ({ event: child, parentId: event.id }));
      events.push(...(isWhole ? children : await repliesTo(site, id, event.id, urgency)));
    }
    if (hits.length < pageSize) return events;
  }
}

/** A request with its whole conversation. @returns undefined if this user cannot see it. */
export async function lookAtConversation(
  site: Site,
  id: string,
  urgency?: Urgency,
): Promise<{ theirs: TheirRequest; events: ConversationEvent[] } | undefined> {
  const theirs = await lookAtRequest(site, id, urgency);
  return theirs && { theirs, events: withLastReply(await readConversation(site, id, urgency), theirs) };
}

/**
 * Stores the state of a request in the shadow.
 * @param events undefined keeps the stored conversation
 * @returns the position.
 */
export async function keepRequest(
  site: Site,
  theirs: TheirRequest,
  events: readonly ConversationEvent[] | undefined,
  also?: (tx: Tx, seq: number) => Promise<void>,
): Promise<number> {
  const title = await communityTitle(site, theirs);
  const seq = await transaction(site.db, async (tx) => {
    const before = await findShadow(tx, { kind: "request", id: theirs.id });
    const parentId = await findFamilyOf(tx, theirs.topic.record ?? "");
    const now = site.options.now();
    const around = { before, parentId, title, now, user: site.options.user.id, newest: await newestOperation(tx) };
    const at = await putShadow(tx, shadowOfRequest(theirs, events, around), now);
    await also?.(tx, at);
    return at;
  });
  site.options.onChange();
  return seq;
}

/** The user does not see a request any more. */
export async function markRequestWithdrawn(site: Site, id: string): Promise<void> {
  const ref = { kind: "request", id } as const;
  await transaction(site.db, async (tx) => {
    if (await findShadow(tx, ref)) await putRemoved(tx, ref, "withdrawn", site.options.now());
  });
  site.options.onChange();
}

/** Reads a request with its conversation. @returns undefined if this user cannot see it. */
export async function refreshRequest(
  site: Site,
  id: string,
  { urgency, also }: { urgency?: Urgency; also?: (tx: Tx, seq: number) => Promise<void> } = {},
): Promise<number | undefined> {
  const seen = await lookAtConversation(site, id, urgency);
  if (seen) return keepRequest(site, seen.theirs, seen.events, also);
  await markRequestWithdrawn(site, id);
  return undefined;
}
