import type { AccessService } from "../access/access.service.ts";
import { findAccessRequest } from "../access-requests/access-request.reader.ts";
import { appendLog, refreshActivity } from "../comments/event-writer.service.ts";
import type { Tx } from "../database/open.ts";
import type { RequestRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden, invalidField, notFound } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles, type WriteResult } from "../kernel/host.ts";
import type { ObjectRef } from "../kernel/object-ref.ts";
import type { NotificationService } from "../notifications/notification.service.ts";
import { isClosed, quotedTitle } from "./request.lifecycle.ts";
import { mayNameReviewers, type Part } from "./request.policy.ts";
import { findRequest } from "./request.reader.ts";
import { updateRequestRow } from "./request.repository.ts";
import type { RequestService } from "./request.service.ts";
import { nextRevision } from "./request-change.service.ts";
import type { ReceiverCheck } from "./review-input.service.ts";
import { isSame, reviewersOf, withoutReviewer, withReviewer } from "./reviewer.policy.ts";
import {
  type AddReviewer,
  addReviewer,
  maxReviewers,
  type Named,
  type RemoveReviewer,
  removeReviewer,
} from "./reviewer.schema.ts";

export interface ReviewerService {
  /** @throws Failure 404, 403; 400 by field, for a closed request and for a reviewer who is named already. */
  add(caller: Caller, input: AddReviewer): Promise<string>;
  /** @throws Failure 404, 403; 400 for a closed request, for the last person, and for a reviewer who decided. */
  remove(caller: Caller, input: RemoveReviewer): Promise<string>;
  commands: CommandHandler[];
}

export interface ReviewerParts {
  host: Host;
  access: AccessService;
  requests: RequestService;
  receivers: ReceiverCheck;
  notifications: NotificationService;
}

/** The user or group in `user:<id>` or `group:<name>`; undefined for other text. */
function namedBy(who: string): Named | undefined {
  const colon = who.indexOf(":");
  const [kind, id] = [who.slice(0, Math.max(colon, 0)), who.slice(colon + 1)];
  if (id === "") return undefined;
  return kind === "user" ? { user: id } : kind === "group" ? { group: id } : undefined;
}

/** Reviewers of an open request besides the first one. Each change is a line of the timeline. */
export function reviewerService({ host, access, requests, receivers, notifications }: ReviewerParts): ReviewerService {
  /** @throws Failure 404, 403, 400. */
  async function requireOpen(tx: Tx, caller: Caller, id: string): Promise<{ request: RequestRow; part: Part }> {
    const reached = await requests.require(tx, caller, id);
    const { request, part } = reached;
    if (!mayNameReviewers(part)) throw forbidden();
    if (isClosed(request.status)) throw new Failure("invalid", `The request is ${request.status}.`);
    if (await findAccessRequest(tx, request.id)) {
      throw new Failure("invalid", "A request for access has no further reviewers.");
    }
    if (!(await findRequest(tx, request.id))) {
      throw new Failure("invalid", "The server does not know this review yet: name the reviewers when it does.");
    }
    return reached;
  }

  /** Stores the change, with a line in the timeline once the request was sent. */
  async function store(
    tx: Tx,
    request: RequestRow,
    change: Partial<RequestRow>,
    line: { id: string; caller: Caller; now: number; name: "reviewer_added" | "reviewer_removed"; about: Named },
  ): Promise<WriteResult<string>> {
    const { id, caller, now, name, about } = line;
    await updateRequestRow(tx, request.id, { ...nextRevision(request, now), ...change });
    const event = { id, requestId: request.id, parentId: null, creatorId: caller.userId ?? "", now };
    if (request.status !== "draft") await appendLog(tx, event, name, about);
    await refreshActivity(tx, request.id);
    const object: ObjectRef = { kind: "request", id: request.id };
    const touched: ObjectRef[] = [object, { kind: "family", id: request.topic_parent_id }];
    const title = `${name === "reviewer_added" ? "Add a reviewer to" : "Remove a reviewer from"} ${quotedTitle(request.title)}`;
    return { result: request.id, object, touched, title };
  }

  const add = (caller: Caller, input: AddReviewer): Promise<string> =>
    host.write(caller, addReviewer, input, async (tx, { now }) => {
      const { request } = await requireOpen(tx, caller, input.id);
      // Reviewers may change the draft, so whoever names them must still manage it.
      await access.require(tx, caller, request.topic_parent_id, "manage");
      const added = await receivers.checkReviewer(tx, caller, input.body, "reviewer");
      const there = reviewersOf(request);
      if (there.some((one) => isSame(one, added))) throw invalidField("reviewer", "This reviewer is named already.");
      if (there.length >= maxReviewers) throw invalidField("reviewer", `At most ${maxReviewers} reviewers.`);
      const change = withReviewer(request, added);
      const line = { id: input.eventId, caller, now, name: "reviewer_added", about: added } as const;
      const outcome = await store(tx, request, change, line);
      if (request.status === "draft") return outcome;
      const what = { added, actorId: caller.userId ?? "", now };
      const notified = await notifications.ofReviewer(tx, { ...request, ...change }, what);
      return { ...outcome, touched: [...outcome.touched, ...notified] };
    });

  const remove = (caller: Caller, input: RemoveReviewer): Promise<string> =>
    host.write(caller, removeReviewer, input, async (tx, { now }) => {
      const { request, part } = await requireOpen(tx, caller, input.id);
      const removed = namedBy(input.who);
      const entry = removed && reviewersOf(request).find((one) => isSame(one, removed));
      if (!entry) throw notFound("The request has no such reviewer.");
      if (entry.outcome !== "pending" && !part.isSuperuser) {
        throw new Failure("invalid", "This reviewer has decided, so only an administrator can remove them.");
      }
      const change = withoutReviewer(request, removed);
      if (!change) throw new Failure("invalid", "At least one person must remain: name another one first.");
      const line = { id: input.eventId, caller, now, name: "reviewer_removed", about: removed } as const;
      return store(tx, request, change, line);
    });

  return { add, remove, commands: [handles(addReviewer, add), handles(removeReviewer, remove)] };
}
