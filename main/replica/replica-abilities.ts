import type { HostAbilities } from "../../shared/kernel/host-abilities.ts";

/** A replica decides nothing: the server does. @param isForeign whether that is no Carrel server */
export const replicaAbilities = (isForeign: () => boolean): HostAbilities => ({
  decides: false,
  get knowsRules() {
    return !isForeign();
  },
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
});
