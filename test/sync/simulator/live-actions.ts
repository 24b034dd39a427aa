import * as Y from "yjs";
import type { LiveEdit } from "../../../server/sync/live/live-documents.ts";
import type { DocumentRow } from "../../../shared/database/schema.ts";
import { openDocument } from "../../../shared/documents/merge.ts";
import { hasDeletedItems } from "../../../shared/documents/yjs-internals.ts";
import { type Actions, anyOf, type Scene } from "./action.ts";
import { dropSeen } from "./draft-actions.ts";
import { markersIn } from "./ledger.ts";

const keyOf = ({ place }: Scene): string => place.caller.userId ?? "";

const mapIn = (map: unknown, key: string): Y.Map<unknown> | undefined => {
  const found = map instanceof Y.Map ? map.get(key) : undefined;
  return found instanceof Y.Map ? found : undefined;
};

async function documentOf({ place }: Scene, draft: string): Promise<DocumentRow | undefined> {
  return place.db.selectFrom("document").selectAll().where("draft_id", "=", draft).executeTakeFirst();
}

/** Third-party clients of live documents: they edit the document itself, and reconnect late. */
export const liveActions: Actions = {
  async "server: open live"(scene) {
    const draft = await anyOf(scene, "draft");
    const row = draft && (await documentOf(scene, draft.id));
    if (!row) return undefined;
    const doc = openDocument(row.state, scene.world.server.host.newClientId());
    const open = { draft: draft.id, family: draft.parent_id, epoch: row.epoch, doc, unconfirmed: [] };
    scene.world.openDocuments.set(keyOf(scene), open);
    return `open ${draft.id} live`;
  },
  /** Renames the last creator. */
  async "server: write live"(scene) {
    const open = scene.world.openDocuments.get(keyOf(scene));
    const creators = mapIn(open?.doc.getMap("draft").get("metadata"), "creators");
    const person = mapIn(creators && [...creators.values()].at(-1), "person_or_org");
    if (!open || !person) return undefined;
    const marker = scene.ledger.newMarker();
    const before = String(person.get("given_name") ?? "");
    person.set("given_name", marker);
    open.unconfirmed = [...open.unconfirmed.filter((old) => old !== before), marker];
    for (const old of markersIn(before)) scene.ledger.dropped.add(old);
    return `write ${marker} live into ${open.draft}`;
  },
  async "server: reconnect live"(scene) {
    const { world, ledger, place } = scene;
    const open = world.openDocuments.get(keyOf(scene));
    const row = open && (await documentOf(scene, open.draft));
    if (!open || !row) return undefined;
    world.openDocuments.delete(keyOf(scene));
    if (row.epoch !== open.epoch)
      return `the document of ${open.draft} was started anew: ${open.unconfirmed} stay with their author`;
    const whole = Y.encodeStateAsUpdate(open.doc);
    const update = Y.diffUpdate(whole, Y.encodeStateVectorFromUpdate(row.state));
    const sent = Buffer.from(update).toString("base64");
    const command: LiveEdit = { id: open.draft, epoch: row.epoch, update: sent, changes: [] };
    ledger.willEdit(open.draft, place.name);
    await dropSeen(scene, open.draft, ["creators"], "", "");
    await place.services.edits.edit(place.caller, command, hasDeletedItems(row.state) ? { whole } : {});
    const { draft, family } = open;
    for (const marker of open.unconfirmed) ledger.intents.push({ family, draft, marker, place: place.name });
    return `bring ${open.unconfirmed} to ${draft}`;
  },
};
