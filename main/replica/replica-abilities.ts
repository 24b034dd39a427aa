import type { HostAbilities } from "../../shared/kernel/host-abilities.ts";

/** A replica decides nothing: the server does. */
export const replicaAbilities: HostAbilities = {
  decides: false,
  merges: false,
  numbersRevisions: false,
  holdsEverything: false,
  appliesDeadlines: false,
  verifiesBytes: false,
  limitsStorage: false,
  notifies: false,
  countsUsage: false,
  sharesDatabase: false,
  cachesAnswers: false,
};
