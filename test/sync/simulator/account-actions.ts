import type { Actions, Scene } from "./action.ts";

/** Nobody can make somebody active again: only a server that goes back to its backup knows them as active. */
async function deactivate({ world }: Scene, username: string): Promise<string> {
  await world.server.services.users.deactivate(world.idOf(username));
  return `deactivate ${username}`;
}

/** The operator ends accounts. */
export const accountActions: Actions = {
  "server: deactivate": async (scene) => deactivate(scene, scene.world.chance.pick(["bob", "carol", "dora"]) ?? "bob"),
  "deactivate the other": async (scene) => deactivate(scene, scene.world.other),
};
