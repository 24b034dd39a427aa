import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "./failure.ts";
import { narrow, privateFile, privateFolder } from "./private-files.ts";

/** The folder of a host's database, blobs and secrets, claimed by this process. */
export interface DataFolder {
  path: string;
  database: string;
  blobs: string;
  /** Pictures in other sizes; anything here can be drawn again. */
  pictures: string;
  /** Names of entries that other accounts could read until now. */
  wasOpen: string[];
  /** Lets another process open the folder. */
  release(): void;
}

export type DataPaths = Pick<DataFolder, "path" | "database" | "blobs" | "pictures">;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** When a process started, if the system says so. After a power loss, another process may have the same pid. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** The text of a lock file; undefined when its process has just removed it. */
function readLock(lock: string): string | undefined {
  try {
    return readFileSync(lock, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The pid in the text of a lock file, if that process is still running. */
function holderIn(text: string): number | undefined {
  const [pid, start = ""] = text.split(" ");
  const holder = Number(pid);
  if (!Number.isInteger(holder) || holder <= 0 || holder === process.pid || !isAlive(holder)) return undefined;
  const present = startOf(holder);
  return start === "" || present === "" || start === present ? holder : undefined;
}

/** A process that makes a lock writes its pid a moment later. */
const writingMs = 5000;

/** Whether a file is there that no process writes any more. */
function isOld(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) >= writingMs;
}

const isBeingOpened = (path: string): Failure =>
  new Failure("unavailable", `Another process is opening the data folder ${path}.`);

/** @returns whether a process left the lock behind. @throws Failure `unavailable` while a process holds it. */
function isLeftBehind(lock: string, path: string): boolean {
  const text = readLock(lock);
  if (text === "" && !isOld(lock)) throw isBeingOpened(path);
  const holder = text === undefined ? undefined : holderIn(text);
  if (holder !== undefined) throw new Failure("unavailable", `The data folder ${path} is in use by process ${holder}.`);
  return text !== undefined;
}

/**
 * Writes a file that no other process has made. A full disk leaves none.
 * @returns false if another process has made it.
 */
function makeAlone(file: string, text: string): boolean {
  let handle: number;
  try {
    handle = openSync(file, "wx", privateFile);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
  try {
    writeFileSync(handle, text);
    return true;
  } catch (error) {
    rmSync(file);
    throw error;
  } finally {
    closeSync(handle);
  }
}

/**
 * Removes a lock that a killed process left. One process at a time may do so, and looks again: otherwise it could remove
 * the new lock of another one that was faster.
 */
function removeLeft(lock: string, path: string): void {
  const turn = `${lock}.turn`;
  if (isOld(turn)) rmSync(turn, { force: true });
  if (!makeAlone(turn, "")) throw isBeingOpened(path);
  try {
    if (isLeftBehind(lock, path)) rmSync(lock);
  } finally {
    rmSync(turn, { force: true });
  }
}

function claim(lock: string, path: string, mark: string): void {
  const text = `${process.pid} ${startOf(process.pid)} ${mark}`.trimEnd();
  for (let attempt = 0; attempt < 2; attempt++) {
    if (makeAlone(lock, text)) return;
    if (isLeftBehind(lock, path)) removeLeft(lock, path);
  }
  throw isBeingOpened(path);
}

/** The paths inside a data folder. */
export const dataPaths = (path: string): DataPaths => ({
  path,
  database: join(path, "carrel.sqlite"),
  blobs: join(path, "blobs"),
  pictures: join(path, "pictures"),
});

/** The file that names the PostgreSQL database of a server. Without it, the rows are in SQLite. */
export const addressFile = "database.url";

/** The address of a server's database outside its data folder. */
export function findAddress(path: string): string | undefined {
  const file = join(path, addressFile);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

/** Whether a folder has a database. @throws Failure `unavailable` when this account may not look. */
function hasDatabase({ path, database }: DataPaths): boolean {
  try {
    accessSync(database);
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EACCES")) return false;
    throw new Failure(
      "unavailable",
      `The data folder ${path} is closed to this account (EACCES). Run the command with the account that runs Carrel there.`,
    );
  }
}

/**
 * The paths of an existing data folder, without claiming it: for commands that run beside a host.
 * @throws Failure `unavailable` when there is no data, or this account may not look.
 */
export function findDataFolder(path: string): DataPaths {
  const paths = dataPaths(path);
  if (!hasDatabase(paths) && findAddress(path) === undefined)
    throw new Failure("unavailable", `There is no Carrel data in ${path}.`);
  return paths;
}

/**
 * Makes a folder and its parents one by one. Node's recursive `mkdir` never ends where the system reports an existing
 * parent as missing, as below /proc.
 */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  try {
    // The folder will hold tokens.
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

/** The lock of one of several server processes. */
const sharedLock = /^server[.][\w-]+[.]pid$/;

/** The other server processes that have a data folder open, each with the mark it gave. */
export function listHolders(path: string): { pid: number; mark: string }[] {
  if (!isFolder(path)) return [];
  const locks = readdirSync(path).filter((name) => name === "server.pid" || sharedLock.test(name));
  return locks.flatMap((name) => {
    const text = readLock(join(path, name)) ?? "";
    const pid = holderIn(text);
    return pid === undefined ? [] : [{ pid, mark: text.split(" ")[2] ?? "" }];
  });
}

/** Names of Carrel's own files in a data folder; other files are left alone. */
const ownNames =
  /^(carrel[.]sqlite.*|blobs|pictures|server[.]([\w-]+[.])?pid|replica[.]pid|last-port|last-start|continues-in|database[.]url|token-key|ballast|damaged-\d+)$/;

/** Removes other accounts' access to Carrel's files: an administrator may have made the folder with open access. */
function narrowAll(path: string): string[] {
  const own = readdirSync(path).filter((name) => ownNames.test(name));
  return own.filter((name) => narrow(join(path, name)));
}

/**
 * Opens or creates a data folder for one process, and removes other accounts' access to its files.
 * @param mark what other processes may read of this one.
 * @throws Failure `unavailable` when it cannot be written, or when another process has it open (with its pid).
 */
export function openDataFolder(path: string, role: "server" | "replica", mark = ""): DataFolder {
  makeDataFolder(path);
  const lock = join(path, `${role}.pid`);
  claim(lock, path, mark);
  const release = () => rmSync(lock, { force: true });
  try {
    for (const name of readdirSync(path)) if (sharedLock.test(name)) isLeftBehind(join(path, name), path);
  } catch (error) {
    release();
    throw error;
  }
  return { ...dataPaths(path), wasOpen: narrowAll(path), release };
}

/**
 * As `openDataFolder`, for one of several server processes on this computer. A process that wants the folder for itself
 * is refused while they run, and they are refused while it runs.
 */
export function shareDataFolder(path: string, name: string, mark = ""): DataFolder {
  makeDataFolder(path);
  const lock = join(path, `server.${name}.pid`);
  claim(lock, path, mark);
  const release = () => rmSync(lock, { force: true });
  try {
    isLeftBehind(join(path, "server.pid"), path);
  } catch (error) {
    release();
    throw error;
  }
  return { ...dataPaths(path), wasOpen: narrowAll(path), release };
}
