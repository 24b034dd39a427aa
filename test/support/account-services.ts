import { createAccountServices } from "../../shared/accounts/account-services.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import type { Api } from "./api.ts";

/** The services of accounts on the server of an API. */
export const accountServices = ({ server, dataDir }: Api) =>
  createAccountServices(server.host, server.services, folderSecret(dataDir));
