import { Failure } from "../../../shared/kernel/failure.ts";
import { isUuid } from "../../../shared/kernel/uuid.ts";
import type { ShownDraft } from "../../sync/upstream.ts";
import { keepRequest, lookAtRequest, readConversation, refreshRequest } from "./conversations.ts";
import { assertAsShown, assertPublishedAsShown, draftOfRequest } from "./handed-on.ts";
import { findShadow } from "./shadow.repository.ts";
import type { Site } from "./site.ts";

/** Options of a call that the user waits for. */
const userCall = { urgency: "user" } as const;

/** A change that the server makes at once or not at all. It is never queued and never retried. */
export interface Change {
  method: string;
  path: string;
  /** The draft, record or request that it writes. */
  object: string;
  /** The draft that it publishes or submits. */
  draft?(site: Site): Promise<string | undefined>;
  /** A look just before. @throws Failure 409 if the user saw another state */
  before?(site: Site, shown: ShownDraft | undefined): Promise<void>;
  /** The body that they know. @throws Failure 400 */
  bodyFor?(site: Site, sent: Buffer): Promise<Buffer>;
  /**
   * Stores what is there afterwards. Lists are late, so objects are looked at by id.
   * @throws Failure 409 if the change published something else than the user saw
   */
  refresh(site: Site, shown: ShownDraft | undefined): Promise<void>;
}

/** The draft and its review as they are now. The draft may be published or gone. */
async function refreshDraft(site: Site, id: string, shown?: ShownDraft): Promise<void> {
  const draft = await site.lookAtDraft(id, userCall);
  if (draft) {
    await site.keepDraft(draft, await site.filesOfDraft(id, userCall));
    const review = draft.parent.review?.id;
    if (review !== undefined) await refreshRequest(site, review, userCall);
    return;
  }
  const record = await site.lookAtRecord(id, userCall);
  if (!record) await site.keepGone("draft", id);
  else {
    await site.keepRecord(record, { isAlone: true });
    assertPublishedAsShown(site, shown, record);
  }
}

/** The request must be as the user saw it, and the server must offer the action. */
async function assertOffered(site: Site, id: string, action: string): Promise<void> {
  const { name } = site.options;
  const shadow = await findShadow(site.db, { kind: "request", id });
  const seen = shadow?.bundle.rows.request?.[0]?.status;
  const theirs = await lookAtRequest(site, id, userCall.urgency);
  if (!theirs) throw new Failure("not_found", `${name} does not show this request any more.`);
  const status = theirs.status === "created" ? "draft" : theirs.status;
  if (status === seen && action in theirs.links.actions) return;
  await keepRequest(site, theirs, await readConversation(site, id, userCall.urgency));
  throw new Failure(
    "conflict",
    status === seen
      ? `${name} does not offer this to you now.`
      : `The request was changed on ${name} meanwhile. Look at it again.`,
  );
}

async function refreshDecision(site: Site, id: string, shown: ShownDraft | undefined): Promise<void> {
  const shadow = await findShadow(site.db, { kind: "request", id });
  await refreshRequest(site, id, userCall);
  const topic = shadow?.bundle.rows.request?.[0]?.topic_record_id;
  // Only what the user holds: accepting publishes the draft, and cancelling frees it.
  if (typeof topic === "string" && (await site.shadowOf(topic))) await refreshDraft(site, topic, shown);
}

async function refreshReviewOf(site: Site, id: string): Promise<void> {
  const shadow = await site.shadowOf(id);
  const before = shadow?.bundle.rows.draft?.find((row) => row.id === id)?.request_id;
  await refreshDraft(site, id);
  // The review that was there may be replaced (upstreams F19).
  if (typeof before === "string") await refreshRequest(site, before, userCall);
}

const nothing = async (): Promise<void> => {};

/** A community by its short name becomes its id, the only name that a review takes. */
async function withCommunityId(site: Site, sent: Buffer): Promise<Buffer> {
  const { receiver, ...rest } = JSON.parse(sent.toString() || "{}");
  const name: unknown = receiver?.community;
  if (typeof name !== "string" || isUuid(name)) return sent;
  const { status, body } = await site.line.read(`/api/communities/${encodeURIComponent(name)}`, userCall);
  const { id } = (body ?? {}) as { id?: unknown };
  if (status !== 200 || typeof id !== "string")
    throw new Failure("invalid", `${site.options.name} has no community “${name}”. Look up its short name there.`);
  return Buffer.from(JSON.stringify({ ...rest, receiver: { community: id } }));
}

/** Changes by method and path. Grants are named by their subject, never by their place in a list (upstreams F18). */
const changes: readonly [
  methods: readonly string[],
  path: RegExp,
  make: (ids: string[]) => Omit<Change, "method" | "path" | "object">,
][] = [
  [
    ["POST", "DELETE"],
    /^\/api\/records\/([\w-]+)\/draft\/pids\/doi$/,
    ([id = ""]) => ({
      refresh: async (site) => {
        const draft = await site.lookAtDraft(id, userCall);
        if (draft) await site.keepDraft(draft, undefined);
      },
    }),
  ],
  [
    ["POST"],
    /^\/api\/requests\/([\w-]+)\/actions\/([\w-]+)$/,
    ([id = "", action = ""]) => {
      const draft = async (site: Site) => (action === "accept" ? draftOfRequest(site, id) : undefined);
      return {
        draft,
        async before(site, shown) {
          await assertOffered(site, id, action);
          const handedOn = await draft(site);
          if (handedOn !== undefined) await assertAsShown(site, handedOn, shown);
        },
        refresh: (site, shown) => refreshDecision(site, id, shown),
      };
    },
  ],
  [
    ["PUT"],
    /^\/api\/records\/([\w-]+)\/draft\/review$/,
    ([id = ""]) => ({ bodyFor: withCommunityId, refresh: (site) => refreshReviewOf(site, id) }),
  ],
  [
    ["DELETE"],
    /^\/api\/records\/([\w-]+)\/draft\/review$/,
    ([id = ""]) => ({ refresh: (site) => refreshReviewOf(site, id) }),
  ],
  [
    ["POST"],
    /^\/api\/records\/([\w-]+)\/draft\/actions\/submit-review$/,
    ([id = ""]) => ({
      draft: async () => id,
      before: (site, shown) => assertAsShown(site, id, shown),
      refresh: (site) => refreshReviewOf(site, id),
    }),
  ],
  [["POST"], /^\/api\/records\/([\w-]+)\/access\/(?:links|grants)$/, () => ({ refresh: nothing })],
  [
    ["PATCH", "DELETE"],
    /^\/api\/records\/([\w-]+)\/access\/(?:links|users|groups)\/[^/]+$/,
    () => ({ refresh: nothing }),
  ],
];

/** What a call changes there; undefined if it is no change that is passed on. */
export function changeOf(method: string, path: string): Change | undefined {
  for (const [methods, pattern, make] of changes) {
    const found = methods.includes(method) ? pattern.exec(path) : null;
    if (found) return { method, path, object: found[1] ?? "", ...make(found.slice(1)) };
  }
  return undefined;
}
