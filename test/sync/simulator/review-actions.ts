import type { EventRow } from "../../../shared/database/schema.ts";
import type { NamedAction } from "../../../shared/requests/request-action.service.ts";
import { type Actions, anyOf, type Scene } from "./action.ts";
import { people } from "./step.ts";

const actions = ["submit", "accept", "decline", "cancel"] as const;

async function anyComment({ world, place }: Scene): Promise<EventRow | undefined> {
  const comments = place.db.selectFrom("event").selectAll().where("type", "=", "C").orderBy("id");
  return world.pick(await comments.execute());
}

const bodyOf = (marker: string) => ({ payload: { content: marker } });

async function ask(scene: Scene, receiver: string): Promise<string | undefined> {
  const { world, place } = scene;
  const draft = await anyOf(scene, "draft");
  if (!draft) return undefined;
  const after = (hours: number) => new Date(place.now() / 1000 + hours * 3_600_000).toISOString();
  const until = world.chance.happens(0.3) ? { expires_at: after(world.chance.happens(0.5) ? 1 : 3) } : {};
  const body = { receiver: { user: world.idOf(receiver) }, title: "Please look", ...until };
  const { state } = await place.services.reviews.put(place.caller, { draftId: draft.id, id: place.newUuid(), body });
  return `review of ${draft.id} by ${receiver}: ${state}`;
}

/** Takes an action on a random request, whether or not its status permits it. */
export async function actOnRequest(scene: Scene, action: NamedAction | undefined): Promise<string | undefined> {
  const { place } = scene;
  const request = await anyOf(scene, "request");
  if (!request || !action) return undefined;
  const ids = { id: request.id, logId: place.newUuid(), commentId: place.newUuid() };
  const { requestActions } = place.services;
  const seen = await requestActions.seenStatus(place.db, request, action, undefined);
  const expected = await requestActions.seenContent(place.db, request, action);
  const outcome = await requestActions.act(place.caller, action, { ...ids, seen, expected });
  return `${action} ${request.id}: ${outcome.state}`;
}

export const reviewActions: Actions = {
  "put review": async (scene) => ask(scene, scene.world.chance.pick(people) ?? "carol"),
  "ask the other": async (scene) => ask(scene, scene.world.other),
  accept: async (scene) => actOnRequest(scene, "accept"),
  cancel: async (scene) => actOnRequest(scene, "cancel"),
  async "submit review"(scene) {
    const { reviews } = scene.place.services;
    const draft = await anyOf(scene, "draft");
    if (!draft) return undefined;
    const seen = await reviews.seenStatus(scene.place.db, draft.id, undefined);
    const ids = { draftId: draft.id, commentId: scene.place.newUuid() };
    const { state } = await reviews.submit(scene.place.caller, { ...ids, ...(seen === undefined ? {} : { seen }) });
    return `submit ${draft.id}: ${state}`;
  },
  async "drop review"(scene) {
    const draft = await anyOf(scene, "draft");
    if (!draft) return undefined;
    // What was not sent of the review is withdrawn with it.
    const unsent = scene.place.db.selectFrom("operation").select("id").where("object_id", "=", draft.id);
    const kinds = ["review.put", "review.submit"];
    for (const { id } of await unsent.where("kind", "in", kinds).execute()) scene.ledger.dropped.add(id);
    const { state } = await scene.place.services.reviews.remove(scene.place.caller, { draftId: draft.id });
    return `drop the review of ${draft.id}: ${state}`;
  },
  decide: async (scene) => actOnRequest(scene, scene.world.chance.pick(actions)),
  async comment(scene) {
    const { ledger, place } = scene;
    const request = await anyOf(scene, "request");
    if (!request) return undefined;
    const marker = ledger.newMarker();
    const id = place.newUuid();
    const input = { id, requestId: request.id, parentId: null, body: bodyOf(marker) };
    await place.services.comments.create(place.caller, input);
    ledger.comments.push({ request: request.id, id, marker, place: place.name });
    return `comment ${marker} on ${request.id}`;
  },
  async reply(scene) {
    const { ledger, place } = scene;
    const parent = await anyComment(scene);
    if (!parent) return undefined;
    const marker = ledger.newMarker();
    const id = place.newUuid();
    const input = { id, requestId: parent.request_id, parentId: parent.id, body: bodyOf(marker) };
    await place.services.comments.create(place.caller, input);
    ledger.comments.push({ request: parent.request_id, id, marker, place: place.name });
    return `reply ${marker} to ${parent.id}`;
  },
  async "edit comment"(scene) {
    const { ledger, place } = scene;
    const comment = await anyComment(scene);
    if (!comment) return undefined;
    const marker = ledger.newMarker();
    const input = { id: comment.id, requestId: comment.request_id, body: bodyOf(marker) };
    // The comment may be stored although the server crashed before it answered.
    ledger.comments.push({ request: comment.request_id, id: comment.id, marker, place: place.name });
    ledger.unacknowledged.add(marker);
    await place.services.comments.update(place.caller, input);
    ledger.unacknowledged.delete(marker);
    return `comment ${comment.id} says ${marker}`;
  },
  async "delete comment"(scene) {
    const { ledger, place } = scene;
    const comment = await anyComment(scene);
    if (!comment) return undefined;
    ledger.dropped.add(comment.id);
    for (const { id, comment: of } of ledger.attachments) if (of === comment.id) ledger.dropped.add(id);
    // Of an unsent comment, only its deletion is sent, and nothing is kept when the server refuses it.
    const unsent = place.db.selectFrom("operation").select("id").where("object_id", "=", comment.id);
    const kinds = ["comment.create", "comment.update", "comment.resolve"];
    for (const { id } of await unsent.where("kind", "in", kinds).execute()) ledger.dropped.add(id);
    await place.services.comments.remove(place.caller, { id: comment.id, requestId: comment.request_id });
    return `delete comment ${comment.id}`;
  },
  async "read notifications"({ place }) {
    const ids = await place.services.notifications.unreadIds(place.db, place.caller.userId ?? "");
    await place.services.notifications.markRead(place.caller, { ids });
    return `read ${ids.length} notifications`;
  },
};
