import type { Action } from "./ledger.ts";

async function anyRequest(world: Parameters<Action>[0], place: Parameters<Action>[2]) {
  return world.chance.pick(await place.db.selectFrom("request").selectAll().orderBy("id").execute());
}

/** Asks for a review of a draft, by the person herself. */
export const putReview: Action = async (world, _ledger, place) => {
  const drafts = await place.db.selectFrom("draft").selectAll().where("is_edit", "=", 0).orderBy("id").execute();
  const draft = world.chance.pick(drafts);
  if (!draft) return "nothing to review";
  const body = { receiver: { user: world.userId }, title: "Please look" };
  const { state } = await place.services.reviews.put(place.caller, { draftId: draft.id, id: place.newUuid(), body });
  return `review of ${draft.id}: ${state}`;
};

const actions = ["submit", "accept", "decline", "cancel"] as const;

/** One of the actions on a request, whether or not it fits. */
export const decide: Action = async (world, _ledger, place) => {
  const request = await anyRequest(world, place);
  const action = world.chance.pick(actions);
  if (!request || !action) return "nothing to decide";
  const ids = { id: request.id, logId: place.newUuid(), commentId: place.newUuid() };
  const outcome = await place.services.requestActions.act(place.caller, action, { ...ids, seen: request.status });
  return `${action} ${request.id}: ${outcome.state}`;
};

/** Writes a comment that must stand in the timeline exactly once. */
export const comment: Action = async (world, ledger, place) => {
  const request = await anyRequest(world, place);
  if (!request) return "nothing to comment on";
  const marker = ledger.newMarker();
  const input = { id: place.newUuid(), requestId: request.id, parentId: null, body: { payload: { content: marker } } };
  await place.services.comments.create(place.caller, input);
  ledger.comments.push({ request: request.id, marker });
  return `comment ${marker} on ${request.id}`;
};
