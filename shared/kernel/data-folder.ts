import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "./failure.ts";
import { narrow, privateFile, privateFolder } from "./private-files.ts";

/** Where a host keeps everything. */
export interface DataFolder {
  path: string;
  database: string;
  blobs: string;
  /** Names of what was open to other accounts until now. */
  wasOpen: string[];
  /** Gives the folder free for another process. */
  release(): void;
}

export type DataPaths = Pick<DataFolder, "path" | "database" | "blobs">;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** When a process began, where the system tells: after a loss of power another one may have its number. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** The process that a lock names, while it runs. */
function holderOf(lock: string): number | undefined {
  const [pid, start = ""] = readFileSync(lock, "utf8").split(" ");
  const holder = Number(pid);
  if (!Number.isInteger(holder) || holder <= 0 || holder === process.pid || !isAlive(holder)) return undefined;
  const present = startOf(holder);
  return start === "" || present === "" || start === present ? holder : undefined;
}

function claim(lock: string, path: string): void {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(lock, `${process.pid} ${startOf(process.pid)}`, { flag: "wx", mode: privateFile });
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      const holder = holderOf(lock);
      if (holder !== undefined) {
        throw new Failure("unavailable", `The data folder ${path} is in use by process ${holder}.`);
      }
      rmSync(lock, { force: true });
    }
  }
  throw new Failure("unavailable", `The data folder ${path} could not be claimed.`);
}

/** Where the parts of a data folder are. */
export const dataPaths = (path: string): DataPaths => ({
  path,
  database: join(path, "carrel.sqlite"),
  blobs: join(path, "blobs"),
});

/** The paths of a data folder that exists already, without claiming it: for commands beside a running host. */
export function findDataFolder(path: string): DataPaths {
  const paths = dataPaths(path);
  if (!existsSync(paths.database)) throw new Failure("unavailable", `There is no Carrel data in ${path}.`);
  return paths;
}

/** Step by step: where the system says that a parent is missing which is there, as below /proc, Node's own never ends. */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    // Tokens are in it.
    mkdirSync(path, { mode: privateFolder });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Creates a data folder, and the folders above it, where there is none.
 * @throws Failure `unavailable` when it cannot be made or written.
 */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(resolve(path));
    accessSync(path, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new Failure("unavailable", `The data folder ${path} cannot be written (${code}).`);
  }
}

/** What Carrel keeps in a data folder; whatever else somebody put there is theirs. */
const ownNames = /^(carrel[.]sqlite.*|blobs|server[.]pid|replica[.]pid|last-port|token-key|ballast|damaged-\d+)$/;

/** Closes what is in the folder to other accounts: one that an administrator made may let everybody in. */
function narrowAll(path: string): string[] {
  const own = readdirSync(path).filter((name) => ownNames.test(name));
  return own.filter((name) => narrow(join(path, name)));
}

/**
 * Opens (creates) a data folder for one process, and closes what is in it to other accounts.
 * @throws Failure `unavailable` when it cannot be written, or when another process has it (its pid is named).
 */
export function openDataFolder(path: string, role: "server" | "replica"): DataFolder {
  makeDataFolder(path);
  const lock = join(path, `${role}.pid`);
  claim(lock, path);
  return { ...dataPaths(path), wasOpen: narrowAll(path), release: () => rmSync(lock, { force: true }) };
}
