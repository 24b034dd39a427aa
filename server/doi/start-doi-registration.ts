import type { Logger } from "pino";
import type { Services } from "../../shared/api.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type DataciteAccount, dataciteRegistrar } from "./datacite-registrar.ts";
import { doiRegistration } from "./doi-registration.service.ts";

interface StartOptions {
  host: Host;
  services: Services;
  account: DataciteAccount;
  log: Logger;
}

/** Starts registering DOIs, including those of earlier records. @returns a function that stops it. */
export function startDoiRegistration({ host, services, account, log }: StartOptions): () => Promise<void> {
  const registration = doiRegistration({ host, services, registrar: dataciteRegistrar(account), log });
  void registration.sendDue();
  return registration.stop;
}
