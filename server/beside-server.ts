import { createServices, type Services } from "../shared/api.ts";
import { DiskBlobStore } from "../shared/blobs/disk-blob-store.ts";
import { claimForServer } from "../shared/database/library.ts";
import { openDatabase } from "../shared/database/open.ts";
import { dataPaths, findDataFolder, makeDataFolder } from "../shared/kernel/data-folder.ts";
import { machineEnvironment } from "../shared/kernel/environment.ts";
import type { Host } from "../shared/kernel/host.ts";
import { defaultSettings } from "../shared/kernel/settings.ts";
import { project } from "../shared/projection.ts";
import { authorityHost } from "./authority-host.ts";

/** Start of links in what a command prints: the address of a server that was not told another. */
const baseUrl = "http://127.0.0.1:5000";

/**
 * Works on a server's data, whether or not the server runs: one more process on the same database file.
 * @param options.mayBegin the folder is created when absent.
 * @throws Failure `unavailable` when there is no data, when it is a replica's or cannot be written.
 */
export async function besideServer<T>(
  dataDir: string,
  work: (parts: { host: Host; services: Services }) => Promise<T>,
  { mayBegin = false } = {},
): Promise<T> {
  if (mayBegin) makeDataFolder(dataDir);
  const folder = mayBegin ? dataPaths(dataDir) : findDataFolder(dataDir);
  const database = openDatabase(folder.database);
  try {
    const blobs = new DiskBlobStore(folder.blobs);
    const environment = machineEnvironment();
    const host = authorityHost({ db: database.db, blobs, baseUrl, settings: defaultSettings, environment, project });
    await claimForServer(host.db, folder.path);
    return await work({ host, services: createServices(host) });
  } finally {
    await database.close();
  }
}
