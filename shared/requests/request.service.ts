import type { AccessService } from "../access/access.service.ts";
import { isAtLeast, type Level } from "../access/level.policy.ts";
import { findAccessRequest, listAccessTypes } from "../access-requests/access-request.reader.ts";
import { presentEvent } from "../comments/event.presenter.ts";
import { newestComment } from "../comments/event-reader.service.ts";
import type { Db } from "../database/open.ts";
import type { ForeignRequestRow, RequestRow, UserRow } from "../database/schema.ts";
import { findDraft } from "../drafts/draft.reader.ts";
import { type Caller, isManager, isSuperuser } from "../kernel/caller.ts";
import { Failure, forbidden, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { isUuid } from "../kernel/uuid.ts";
import { mayReadUser } from "../users/user.policy.ts";
import type { UserService } from "../users/user.service.ts";
import { expandedReceiver, findForeignRequest, listForeignTypes, offeredActions } from "./foreign-request.reader.ts";
import { listQueuedReviews, syncOf } from "./queued-review.service.ts";
import { levelToRead, mayRead, type Part } from "./request.policy.ts";
import { presentGuest, presentRequest } from "./request.presenter.ts";
import { findRequest } from "./request.reader.ts";
import { findRecord, listOnTopic, listReadable, type Reader } from "./request.repository.ts";
import { requestType } from "./request.schema.ts";
import type { TypedRequest } from "./request-search.ts";
import { isReviewer, reviewersOf, reviewingGroups, reviewingUsers } from "./reviewer.policy.ts";

/** A request together with the caller's roles in it. */
export interface Reached {
  request: RequestRow;
  part: Part;
}

export interface RequestService {
  /** Finds a request without checking rights. */
  find(db: Db, id: string): Promise<RequestRow | undefined>;
  /** @throws Failure 404. */
  require(db: Db, caller: Caller, id: string): Promise<Reached>;
  /** @throws Failure 404, 403. */
  requireReadable(db: Db, caller: Caller, id: string): Promise<Reached>;
  partOf(db: Db, caller: Caller, request: RequestRow): Promise<Part>;
  /** All requests that the caller may read. @throws Failure 403 for an anonymous caller. */
  listReadable(db: Db, caller: Caller): Promise<RequestRow[]>;
  /** As `listReadable`, on one record or draft, also through the access links that the caller shows. */
  listReadableOn(db: Db, caller: Caller, recordId: string): Promise<RequestRow[]>;
  /** Adds the type of each request, for searches. */
  withTypes(db: Db, rows: readonly RequestRow[]): Promise<TypedRequest[]>;
  /** A request as the caller sees it. `expand`: with its users and topic. */
  present(db: Db, caller: Caller, request: RequestRow, expand: boolean): Promise<Record<string, unknown>>;
  /** Who reviews, by name or as a member of a group, as far as the caller may see them. */
  reviewingPeople(db: Db, caller: Caller, request: RequestRow): Promise<Record<string, unknown>[]>;
  /** A user as the caller may see them; a placeholder for unknown and hidden users. */
  expandUser(db: Db, caller: Caller, userId: string): Promise<Record<string, unknown>>;
}

export interface RequestParts {
  host: Host;
  access: AccessService;
  users: UserService;
}

async function lastReply(baseUrl: string, db: Db, caller: Caller, { request, part }: Reached) {
  const newest = await newestComment(db, request.id);
  if (!newest) return null;
  const view = { baseUrl, request, part, userId: caller.userId, files: newest.files };
  return presentEvent(newest.event, { ...view, hasPage: false });
}

/** People who are listed; a group may have all users as members. */
const maxReviewing = 500;

const missing = (error: unknown): boolean => error instanceof Failure && error.kind === "not_found";

/** The caller's level on the topic; `none` when the record is deleted or not on this host. */
async function topicLevel(access: AccessService, db: Db, caller: Caller, request: RequestRow): Promise<Level> {
  try {
    return (await access.of(db, caller, request.topic_parent_id)).level;
  } catch (error) {
    if (missing(error)) return "none";
    throw error;
  }
}

async function withTypes({ abilities }: Host, db: Db, rows: readonly RequestRow[]): Promise<TypedRequest[]> {
  const foreign = abilities.decides ? [] : await listForeignTypes(db);
  const types = new Map<string, string>([...(await listAccessTypes(db)), ...foreign]);
  return rows.map((row) => ({ ...row, type: types.get(row.id) ?? requestType }));
}

/** The topic with its title, if the caller may read it. */
async function expandTopic(
  access: AccessService,
  db: Db,
  caller: Caller,
  request: RequestRow,
): Promise<Record<string, unknown>> {
  const id = request.topic_record_id;
  const level = await topicLevel(access, db, caller, request);
  const draft = await findDraft(db, id);
  if (draft) {
    const draftLevel = (await access.ofDraft(db, caller, draft)).level;
    if (isAtLeast(draftLevel, "preview")) return { id, title: JSON.parse(draft.metadata).title ?? "" };
  }
  const record = await findRecord(db, id);
  const isReadable = record && (isAtLeast(level, "view") || JSON.parse(record.access).record === "public");
  return isReadable ? { id, title: JSON.parse(record.metadata).title ?? "" } : { id };
}

/** The part of a caller in a request of a foreign server, which names what each reader may do. */
function partInForeign(foreign: ForeignRequestRow, { creator_id }: RequestRow, { userId }: Caller): Part {
  const decides = offeredActions(foreign).some((action) => action === "accept" || action === "decline");
  return { isCreator: userId === creator_id, isReceiver: decides, isPreviewer: userId !== null, isSuperuser: false };
}

async function reviewingPeople(users: UserService, db: Db, caller: Caller, request: RequestRow) {
  const ids = new Set(reviewingUsers(request));
  for (const group of reviewingGroups(request)) for (const id of await users.membersOf(db, group)) ids.add(id);
  const people: UserRow[] = [];
  for (const id of [...ids].slice(0, maxReviewing)) {
    const user = await users.find(db, id);
    if (user && mayReadUser(caller, user)) people.push(user);
  }
  return users.present(db, caller, people);
}

/** What a request has besides its row. A host that decides has no request of an InvenioRDM. */
async function kindOf({ abilities }: Host, db: Db, { id }: RequestRow) {
  const foreign = abilities.decides ? undefined : await findForeignRequest(db, id);
  return { foreign, asked: await findAccessRequest(db, id) };
}

async function partIn(
  access: AccessService,
  db: Db,
  caller: Caller,
  request: RequestRow,
  { foreign, asked }: Awaited<ReturnType<typeof kindOf>>,
): Promise<Part> {
  if (foreign) return partInForeign(foreign, request, caller);
  const isSignedIn = caller.userId !== null;
  const needed = levelToRead(asked !== undefined);
  return {
    isCreator: isSignedIn && caller.userId === request.creator_id,
    isReceiver: isReviewer(request, caller),
    isPreviewer: isSignedIn && isAtLeast(await topicLevel(access, db, caller, request), needed),
    isSuperuser: isSuperuser(caller),
  };
}

/** All that the caller may read by their account. @throws Failure 403 for an anonymous caller. */
async function listByAccount(host: Host, db: Db, caller: Caller): Promise<RequestRow[]> {
  if (caller.userId === null) throw forbidden();
  const sees: Reader["sees"] = isSuperuser(caller) ? "all" : isManager(caller) ? "sent" : "own";
  const known = await listReadable(db, { userId: caller.userId, roles: [...caller.roles], sees });
  const queued = await listQueuedReviews(host, db, caller);
  return [...known, ...queued.filter(({ id }) => !known.some((request) => request.id === id))];
}

/** Reads requests: finds the caller's roles and presents requests (requests 3). */
export function requestService({ host, access, users }: RequestParts): RequestService {
  const partOf = async (db: Db, caller: Caller, request: RequestRow) =>
    partIn(access, db, caller, request, await kindOf(host, db, request));

  const findOrQueued = async (db: Db, caller: Caller, id: string): Promise<RequestRow | undefined> =>
    (await findRequest(db, id)) ?? (await listQueuedReviews(host, db, caller)).find((review) => review.id === id);

  async function require(db: Db, caller: Caller, id: string): Promise<Reached> {
    const request = isUuid(id) ? await findOrQueued(db, caller, id.toLowerCase()) : undefined;
    if (!request) throw notFound();
    return { request, part: await partOf(db, caller, request) };
  }

  async function expandUser(db: Db, caller: Caller, userId: string): Promise<Record<string, unknown>> {
    const user = await users.find(db, userId);
    const [body] = user && mayReadUser(caller, user) ? await users.present(db, caller, [user]) : [];
    return body ?? { id: userId, is_ghost: true };
  }

  async function listReadableOn(db: Db, caller: Caller, recordId: string): Promise<RequestRow[]> {
    const found = (await listByAccount(host, db, caller)).filter((request) => request.topic_record_id === recordId);
    const others = caller.linkTokens.length === 0 ? [] : await listOnTopic(db, recordId);
    for (const request of others)
      if (!found.some(({ id }) => id === request.id) && mayRead(request, await partOf(db, caller, request)))
        found.push(request);
    return found;
  }

  const expandReviewers = (db: Db, caller: Caller, request: RequestRow) =>
    Promise.all(
      reviewersOf(request).map(({ user, group = "" }) =>
        user === undefined ? { id: group, name: group } : expandUser(db, caller, user),
      ),
    );

  return {
    find: findRequest,
    require,
    partOf,
    expandUser,
    async requireReadable(db, caller, id) {
      const reached = await require(db, caller, id);
      if (!mayRead(reached.request, reached.part)) throw forbidden();
      return reached;
    },
    reviewingPeople: (db, caller, request) => reviewingPeople(users, db, caller, request),
    listReadable: (db, caller) => listByAccount(host, db, caller),
    listReadableOn,
    withTypes: (db, rows) => withTypes(host, db, rows),
    async present(db, caller, request, expand) {
      const kind = await kindOf(host, db, request);
      const { asked, foreign } = kind;
      const part = await partIn(access, db, caller, request, kind);
      const guest = asked && asked.email !== null ? presentGuest(asked) : undefined;
      const expanded = expand && {
        created_by: guest ?? (await expandUser(db, caller, request.creator_id)),
        receiver: foreign ? expandedReceiver(foreign) : await expandUser(db, caller, request.receiver_id),
        reviewers: foreign ? [] : await expandReviewers(db, caller, request),
        topic: await expandTopic(access, db, caller, request),
      };
      return presentRequest(request, {
        baseUrl: host.baseUrl,
        asked,
        foreign,
        lastReply: await lastReply(host.baseUrl, db, caller, { request, part }),
        ...(expanded ? { expanded } : {}),
        sync: await syncOf(host, db, request),
      });
    },
  };
}
