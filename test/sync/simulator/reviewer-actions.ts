import { type Actions, anyOf, type Scene } from "./action.ts";
import { actOnRequest } from "./review-actions.ts";
import { people } from "./step.ts";

type Named = { user: string } | { group: string };

/** A user, now and then the group. */
function someReviewer({ world }: Scene): Named {
  if (world.chance.happens(0.3)) return { group: "lab" };
  return { user: world.idOf(world.chance.pick(people) ?? "carol") };
}

const nameOf = (named: { user?: string; group?: string }): string =>
  named.user === undefined ? `group:${named.group}` : `user:${named.user}`;

/** Reviews by several people and groups, and comments with a place. */
export const reviewerActions: Actions = {
  async "add reviewer"(scene) {
    const { place } = scene;
    const request = await anyOf(scene, "request");
    if (!request) return undefined;
    const body = someReviewer(scene);
    await place.services.reviewers.add(place.caller, { id: request.id, eventId: place.newUuid(), body });
    return `${nameOf(body)} reviews ${request.id} too`;
  },
  async "remove reviewer"(scene) {
    const { place, world } = scene;
    const request = await anyOf(scene, "request");
    if (!request) return undefined;
    const named = [{ user: request.receiver_id }, ...(JSON.parse(request.reviewers) as Named[])];
    const who = nameOf(world.chance.pick(named) ?? {});
    await place.services.reviewers.remove(place.caller, { id: request.id, eventId: place.newUuid(), who });
    return `${who} does not review ${request.id} any more`;
  },
  "request changes": async (scene) => actOnRequest(scene, "request-changes"),
  "request review": async (scene) => actOnRequest(scene, "request-review"),
  async "comment on field"(scene) {
    const { ledger, place } = scene;
    const request = await anyOf(scene, "request");
    if (!request) return undefined;
    const marker = ledger.newMarker();
    const id = place.newUuid();
    const body = { payload: { content: marker }, about: { field: "metadata.title" } };
    await place.services.comments.create(place.caller, { id, requestId: request.id, parentId: null, body });
    ledger.comments.push({ request: request.id, id, marker, place: place.name });
    return `comment ${marker} on the title, in ${request.id}`;
  },
  async "resolve comment"({ place, world }) {
    const placed = place.db.selectFrom("event").selectAll().where("type", "=", "C").where("about", "is not", null);
    const comment = world.pick(await placed.orderBy("id").execute());
    if (!comment) return undefined;
    const isResolved = world.chance.happens(0.7);
    const input = { id: comment.id, requestId: comment.request_id, isResolved };
    await place.services.resolutions.resolve(place.caller, input);
    return `${isResolved ? "resolve" : "reopen"} ${comment.id}`;
  },
};
