import { type Actions, anyOf, type Scene } from "./action.ts";
import { people } from "./step.ts";

const permissions = ["view", "preview", "edit", "manage"] as const;

/** A draft or record of which access is to be changed. */
async function anyShared(scene: Scene) {
  return scene.world.chance.happens(0.3) ? anyOf(scene, "record") : anyOf(scene, "draft");
}

/** A family whose id some draft or record has, for commands that name one of these. */
async function memberOf({ place }: Scene, family: string): Promise<string | undefined> {
  for (const table of ["draft", "record"] as const) {
    const row = await place.db.selectFrom(table).select("id").where("parent_id", "=", family).executeTakeFirst();
    if (row) return row.id;
  }
  return undefined;
}

export const accessActions: Actions = {
  async "give access"(scene) {
    const { world, ledger, place } = scene;
    const shared = await anyShared(scene);
    if (!shared) return undefined;
    const name = world.chance.pick([...people, "lab"]) ?? "bob";
    const subject =
      name === "lab" ? { type: "role" as const, id: name } : { type: "user" as const, id: world.idOf(name) };
    const permission = world.chance.pick(permissions) ?? "edit";
    const id = place.newUuid();
    const grant = { id, permission, subject, origin: null, message: null };
    await place.services.grants.create(place.caller, { recordId: shared.id, grants: [grant] });
    ledger.grants.push({ id, family: shared.parent_id, place: place.name });
    return `let ${name} ${permission} ${shared.id}`;
  },
  async "change access"(scene) {
    const grant = await anyOf(scene, "access_grant");
    const recordId = grant && (await memberOf(scene, grant.parent_id));
    if (!recordId) return undefined;
    const permission = scene.world.chance.pick(permissions) ?? "view";
    await scene.place.services.grants.update(scene.place.caller, { id: grant.id, recordId, permission });
    return `now ${permission} by ${grant.id}`;
  },
  async "take access"(scene) {
    const grant = await anyOf(scene, "access_grant");
    const recordId = grant && (await memberOf(scene, grant.parent_id));
    if (!recordId) return undefined;
    scene.ledger.dropped.add(grant.id);
    await scene.place.services.grants.remove(scene.place.caller, { id: grant.id, recordId });
    return `take ${grant.id} back from ${recordId}`;
  },
  async "make link"(scene) {
    const { ledger, place } = scene;
    const shared = await anyShared(scene);
    if (!shared) return undefined;
    const id = place.newUuid();
    const link = { id, token: place.newToken(), permission: "view" as const, expires_at: null, description: "" };
    await place.services.links.create(place.caller, { ...link, recordId: shared.id });
    ledger.links.push({ id, family: shared.parent_id, place: place.name });
    return `link ${id} to ${shared.id}`;
  },
  async "delete link"(scene) {
    const link = await anyOf(scene, "access_link");
    const recordId = link && (await memberOf(scene, link.parent_id));
    if (!recordId) return undefined;
    scene.ledger.dropped.add(link.id);
    await scene.place.services.links.remove(scene.place.caller, { id: link.id, recordId });
    return `delete link ${link.id}`;
  },
};
