import type { Actions, Scene } from "./action.ts";

/** Deactivates a user. Nobody can undo that, except by restoring a backup of the server. */
async function deactivate({ world }: Scene, username: string): Promise<string> {
  await world.server.services.users.deactivate(world.idOf(username));
  return `deactivate ${username}`;
}

/** Steps of the operator that end accounts. */
export const accountActions: Actions = {
  "server: deactivate": async (scene) => deactivate(scene, scene.world.chance.pick(["bob", "carol", "dora"]) ?? "bob"),
  "deactivate the other": async (scene) => deactivate(scene, scene.world.other),
};
