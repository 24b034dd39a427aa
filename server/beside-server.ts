import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createServices, type Services } from "../shared/api.ts";
import { DiskBlobStore } from "../shared/blobs/disk-blob-store.ts";
import { openDatabase } from "../shared/database/open.ts";
import { machineEnvironment } from "../shared/kernel/environment.ts";
import { Failure } from "../shared/kernel/failure.ts";
import type { Host } from "../shared/kernel/host.ts";
import { defaultSettings } from "../shared/kernel/settings.ts";
import { project } from "../shared/projection.ts";
import { authorityHost } from "./authority-host.ts";

/** Start of links in what a command prints: the address of a server that was not told another. */
const baseUrl = "http://127.0.0.1:5000";

/**
 * Works on a server's data, whether or not the server runs: one more process on the same database file.
 * @param dataDir created when absent.
 * @throws Failure `unavailable` when it cannot be written.
 */
export async function besideServer<T>(
  dataDir: string,
  work: (parts: { host: Host; services: Services }) => Promise<T>,
): Promise<T> {
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new Failure("unavailable", `The data folder ${dataDir} cannot be written (${code}).`);
  }
  const database = openDatabase(join(dataDir, "carrel.sqlite"));
  try {
    const blobs = new DiskBlobStore(join(dataDir, "blobs"));
    const environment = machineEnvironment();
    const host = authorityHost({ db: database.db, blobs, baseUrl, settings: defaultSettings, environment, project });
    return await work({ host, services: createServices(host) });
  } finally {
    await database.close();
  }
}
