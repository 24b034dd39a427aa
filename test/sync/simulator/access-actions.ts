import { type Actions, anyOf, type Scene } from "./action.ts";
import { people } from "./step.ts";

const permissions = ["view", "preview", "edit", "manage"] as const;

/** A draft or record whose access the step changes. */
async function anyShared(scene: Scene) {
  return scene.world.chance.happens(0.3) ? anyOf(scene, "record") : anyOf(scene, "draft");
}

/** The id of a draft or record of a family, for commands that name one. */
async function memberOf({ place }: Scene, family: string): Promise<string | undefined> {
  for (const table of ["draft", "record"] as const) {
    const row = await place.db.selectFrom(table).select("id").where("parent_id", "=", family).executeTakeFirst();
    if (row) return row.id;
  }
  return undefined;
}

/** A random grant; in a motif, the newest one. */
async function grantOf(scene: Scene) {
  if (scene.world.focus === undefined) return anyOf(scene, "access_grant");
  const grants = scene.place.db.selectFrom("access_grant").selectAll();
  return grants.orderBy("created", "desc").orderBy("id").executeTakeFirst();
}

async function share(scene: Scene, name: string): Promise<string | undefined> {
  const { world, ledger, place } = scene;
  const shared = world.focus === undefined ? await anyShared(scene) : await anyOf(scene, "draft");
  if (!shared) return undefined;
  const subject =
    name === "lab" ? { type: "role" as const, id: name } : { type: "user" as const, id: world.idOf(name) };
  const permission =
    world.chance.pick(world.focus === undefined ? permissions : (["edit", "manage"] as const)) ?? "edit";
  const id = place.newUuid();
  const grant = { id, permission, subject, origin: null, message: null };
  await place.services.grants.create(place.caller, { recordId: shared.id, grants: [grant] });
  ledger.grants.push({ id, family: shared.parent_id, place: place.name, gives: `${permission} to ${subject.id}` });
  return `let ${name} ${permission} ${shared.id}`;
}

export const accessActions: Actions = {
  "give access": async (scene) => share(scene, scene.world.chance.pick([...people, "lab"]) ?? "bob"),
  "let the other in": async (scene) => share(scene, scene.world.other),
  "share with lab": async (scene) => share(scene, "lab"),
  async "change access"(scene) {
    const grant = await grantOf(scene);
    const recordId = grant && (await memberOf(scene, grant.parent_id));
    if (!recordId) return undefined;
    const permission = scene.world.chance.pick(permissions) ?? "view";
    await scene.place.services.grants.update(scene.place.caller, { id: grant.id, recordId, permission });
    return `now ${permission} by ${grant.id}`;
  },
  async "take access"(scene) {
    const grant = await grantOf(scene);
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
