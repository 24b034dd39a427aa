import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../shared/database/open.ts";

let template: string | undefined;

/** Makes the template once for all tests of this process. */
async function templateFile(): Promise<string> {
  if (template !== undefined) return template;
  const folder = mkdtempSync(join(tmpdir(), "carrel-template-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "carrel.sqlite");
  await openDatabase(file).close();
  template = file;
  return file;
}

/**
 * Gives a data folder a migrated, empty database, unless it has one: migrating takes much of the time in which a host
 * starts.
 */
export async function givenDatabase(dataDir: string): Promise<string> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "carrel.sqlite");
  if (!existsSync(file)) copyFileSync(await templateFile(), file);
  return dataDir;
}
