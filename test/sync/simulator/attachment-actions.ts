import type { Services } from "../../../shared/api.ts";
import type { EventFileRow, EventRow, RequestRow } from "../../../shared/database/schema.ts";
import type { Caller } from "../../../shared/kernel/caller.ts";
import { type Actions, anyOf, type Scene } from "./action.ts";
import { oneChunk } from "./sim-uploads.ts";

/** Uploads the bytes to the server. A replica forwards the call and then fetches the object. */
async function upload({ world, place }: Scene, request: RequestRow): Promise<EventFileRow> {
  const bytes = Buffer.from(world.chance.bytes(30));
  const { replica } = place;
  const attach = ({ attachments }: Services, caller: Caller) =>
    attachments.upload(() => caller, request.id, "note.txt", oneChunk(bytes));
  if (!replica) return attach(place.services, place.caller);
  const file = await replica.passOn(attach);
  await replica.pullAll();
  return file;
}

const referTo = (marker: string, files: readonly { id: string }[]) => ({
  payload: { content: marker, files: files.map(({ id }) => ({ file_id: id })) },
});

/** A random comment with files at this place. */
async function anyIllustrated({ world, place }: Scene): Promise<EventRow | undefined> {
  const comments = place.db.selectFrom("event").selectAll("event").where("type", "=", "C");
  const shown = comments.innerJoin("event_file", "event_file.event_id", "event.id").distinct().orderBy("event.id");
  return world.pick(await shown.execute());
}

export const attachmentActions: Actions = {
  async "comment with file"(scene) {
    const { ledger, place } = scene;
    const request = await anyOf(scene, "request");
    if (!request) return undefined;
    const file = await upload(scene, request);
    const marker = ledger.newMarker();
    const id = place.newUuid();
    const body = referTo(marker, [file]);
    await place.services.comments.create(place.caller, { id, requestId: request.id, parentId: null, body });
    const entry = { request: request.id, marker, place: place.name };
    ledger.comments.push({ ...entry, id });
    ledger.attachments.push({ ...entry, comment: id, id: file.id });
    return `comment ${marker} with ${file.key} on ${request.id}`;
  },
  /** Replaces the files of a comment by another one. */
  async "replace attachment"(scene) {
    const { ledger, place } = scene;
    const comment = await anyIllustrated(scene);
    const request =
      comment &&
      (await place.db.selectFrom("request").selectAll().where("id", "=", comment.request_id).executeTakeFirst());
    if (!comment || !request) return undefined;
    const file = await upload(scene, request);
    const marker = ledger.newMarker();
    const entry = { request: request.id, marker, place: place.name };
    // The change may be stored although the server crashed before it answered.
    for (const { id, comment: of } of ledger.attachments) if (of === comment.id) ledger.dropped.add(id);
    ledger.comments.push({ ...entry, id: comment.id });
    const input = { id: comment.id, requestId: request.id, body: referTo(marker, [file]) };
    ledger.unacknowledged.add(marker);
    await place.services.comments.update(place.caller, input);
    ledger.unacknowledged.delete(marker);
    ledger.attachments.push({ ...entry, comment: comment.id, id: file.id });
    return `comment ${comment.id} says ${marker} with ${file.key}`;
  },
  async "remove attachment"(scene) {
    const { ledger, place, world } = scene;
    const file = world.pick(
      await place.db.selectFrom("event_file").selectAll().orderBy("id").execute(),
      ({ request_id }) => request_id,
    );
    if (!file) return undefined;
    ledger.dropped.add(file.id);
    const input = { requestId: file.request_id, key: file.key };
    const remove = ({ attachments }: Services, caller: Caller) => attachments.remove(caller, input);
    await (place.replica ? place.replica.passOn(remove) : remove(place.services, place.caller));
    return `remove ${file.key} from ${file.request_id}`;
  },
};
