import type { Services } from "../../shared/api.ts";
import type { RouteStep } from "../../shared/kernel/route-facts.ts";
import { avatarsFromServer } from "./avatars-from-server.ts";
import { forwarding } from "./forward.ts";
import { localScope } from "./local-scope.ts";
import { fetching, type OnDemandOptions, onDemand } from "./on-demand.ts";
import { type PicturesFromServerOptions, picturesFromServer } from "./pictures-from-server.ts";
import { upstreamFiles } from "./upstream-files.ts";

export interface ReplicaStepsOptions extends OnDemandOptions, PicturesFromServerOptions {
  services: Pick<Services, "users" | "userPictures">;
}

/** The steps of a replica before the handler of a route, in the order in which they run. */
export function replicaSteps(options: ReplicaStepsOptions): RouteStep[] {
  const { users, userPictures } = options.services;
  return [
    upstreamFiles(options),
    forwarding({ ...options, keep: fetching(options).fetchAndKeep }),
    localScope,
    onDemand(options),
    picturesFromServer(options),
    avatarsFromServer({ ...options, users, pictures: userPictures }),
  ];
}
