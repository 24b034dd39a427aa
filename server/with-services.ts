import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { createServices, type Ports, type Services } from "../shared/api.ts";
import { isPostgres } from "../shared/database/dialect.ts";
import { claimForServer, libraryOf } from "../shared/database/library.ts";
import { system } from "../shared/kernel/caller.ts";
import { committedHints } from "../shared/kernel/committed.ts";
import {
  type DataPaths,
  dataPaths,
  findAddress,
  findDataFolder,
  makeDataFolder,
} from "../shared/kernel/data-folder.ts";
import { type Environment, machineEnvironment } from "../shared/kernel/environment.ts";
import { isDatabaseLost } from "../shared/kernel/former-library.ts";
import type { AuditEvent, Host } from "../shared/kernel/host.ts";
import { defaultSettings } from "../shared/settings/settings.schema.ts";
import { localPorts } from "../shared/wiring/local-ports.ts";
import { sharedPorts } from "../shared/wiring/shared-ports.ts";
import { readServerAddress } from "./accounts/server-address.ts";
import { authorityHost } from "./authority-host.ts";
import { databaseClock } from "./database-clock.ts";
import { serverProjection } from "./harvest/harvest.projection.ts";
import { openBlobs } from "./open-blobs.ts";
import { type OpenRows, openRows } from "./open-rows.ts";

/** Start of links in the output of commands, if the server has never run. */
const firstBaseUrl = "http://127.0.0.1:5000";

/** The operating system's user name; the user id if there is no name. */
function consoleUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}

/**
 * Opens a server's data folder for a command, whether or not the server runs, as another process on the same database.
 * @param options.mayCreate creates an absent folder.
 * @throws Failure `unavailable` if there is no data, if it belongs to a replica or cannot be written.
 */
export async function withServices<T>(
  dataDir: string,
  work: (parts: { host: Host; services: Services }) => Promise<T>,
  { mayBegin: mayCreate = false } = {},
): Promise<T> {
  const folder = mayCreate ? beginDataFolder(dataDir) : findDataFolder(dataDir);
  const database = await openRows(folder);
  const environment = await environmentOf(database);
  const { baseUrl } = (await readServerAddress(database.db)) ?? { baseUrl: firstBaseUrl };
  const bytes = await openBlobs(folder, database.db, () => environment.now());
  try {
    const host = authorityHost({
      db: database.db,
      blobs: bytes.store,
      hints: committedHints(),
      baseUrl,
      settings: defaultSettings,
      environment,
      project: serverProjection(environment),
      consoleUser: consoleUser(),
      onUnrecorded: (error) => {
        throw error;
      },
    });
    await claimForServer(host.db, folder.path);
    return await work({ host, services: createServices(host, portsOf(host, database, folder.pictures)) });
  } finally {
    await bytes.close();
    await database.close();
  }
}

/** Makes an absent data folder, and says so: a mistyped name must not pass for the folder of the server. */
export function beginDataFolder(dataDir: string): DataPaths {
  makeDataFolder(dataDir);
  const folder = dataPaths(dataDir);
  const isNew = !existsSync(folder.database) && findAddress(dataDir) === undefined && !isDatabaseLost(folder);
  if (isNew) process.stderr.write(`${dataDir} had no data. A new server begins there.\n`);
  return folder;
}

const environmentOf = async ({ readClock }: OpenRows): Promise<Environment> =>
  readClock ? (await databaseClock(readClock, machineEnvironment())).environment : machineEnvironment();

const portsOf = (host: Host, { db, searchIndex }: OpenRows, pictures: string): Ports =>
  isPostgres(db) ? sharedPorts(host, pictures, searchIndex()) : localPorts(pictures);

/**
 * Records a console command that bypasses the host, in a server's audit log. Does nothing in a replica's folder. A full
 * disk or a damaged database must not undo a backup or a repair, so a failure is only reported on stderr.
 */
export async function recordConsoleEvent(dataDir: string, event: AuditEvent): Promise<void> {
  try {
    if (!(await isServerData(dataDir))) return;
    await withServices(dataDir, ({ host }) => host.audit(host.db, system, event));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The audit log of ${dataDir} lacks an entry for '${event.action}': ${words}\n`);
  }
}

async function isServerData(dataDir: string): Promise<boolean> {
  const database = await openRows(findDataFolder(dataDir));
  try {
    return (await libraryOf(database.db)) !== undefined;
  } finally {
    await database.close();
  }
}
