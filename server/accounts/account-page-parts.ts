import type { AccountServices } from "../../shared/accounts/account-services.ts";
import type { Services } from "../../shared/api.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { Entry } from "./entry.service.ts";

/** What all pages about accounts need. */
export interface AccountPageParts {
  host: Host;
  services: Pick<Services, "signIn" | "sessions" | "devices" | "users" | "secondFactors">;
  accounts: AccountServices;
  entry: Entry;
}
