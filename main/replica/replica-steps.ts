import type { Services } from "../../shared/api.ts";
import type { RouteStep } from "../../shared/kernel/route-facts.ts";
import { avatarsElsewhere } from "./avatars-elsewhere.ts";
import { forwarding } from "./forward.ts";
import { localScope } from "./local-scope.ts";
import { type OnDemandOptions, onDemand } from "./on-demand.ts";
import { type PicturesElsewhereOptions, picturesElsewhere } from "./pictures-elsewhere.ts";

export interface ReplicaStepsOptions extends OnDemandOptions, PicturesElsewhereOptions {
  services: Pick<Services, "users" | "userPictures">;
}

/** What a replica does before a call's route, in this order. */
export function replicaSteps(options: ReplicaStepsOptions): RouteStep[] {
  const { users, userPictures } = options.services;
  return [
    forwarding(options),
    localScope,
    onDemand(options),
    picturesElsewhere(options),
    avatarsElsewhere({ ...options, users, pictures: userPictures }),
  ];
}
