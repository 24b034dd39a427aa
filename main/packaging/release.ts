import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const execute = promisify(execFile);

const numbers = (version: string): number[] | undefined =>
  /^\d+\.\d+\.\d+$/.test(version) ? version.split(".").map(Number) : undefined;

/** Whether a version follows another one by the rules of semver: one number grows by one, those after it are 0. */
export function isNextVersion(current: string, next: string): boolean {
  const [from, to] = [numbers(current), numbers(next)];
  if (!from || !to) return false;
  const at = from.findIndex((number, place) => to[place] !== number);
  return to[at] === (from[at] ?? 0) + 1 && to.slice(at + 1).every((number) => number === 0);
}

const heading = "## Unreleased";

/**
 * Gives the entries under "Unreleased" a version and a day.
 * @returns the new text, and the entries as notes of the release.
 * @throws Error when there is nothing to release.
 */
export function cutChangelog(text: string, version: string, day: string): { text: string; notes: string } {
  const start = text.indexOf(`${heading}\n`);
  if (start < 0) throw new Error(`CHANGELOG.md has no heading '${heading}'.`);
  const rest = text.slice(start + heading.length + 1);
  const end = rest.search(/^## /m);
  const notes = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (notes === "") throw new Error("CHANGELOG.md says nothing under 'Unreleased'.");
  const older = end < 0 ? "" : `\n${rest.slice(end)}`;
  return { text: `${text.slice(0, start)}${heading}\n\n## ${version} (${day})\n\n${notes}\n${older}`, notes };
}

interface Release {
  folder: string;
  version: string;
  /** `2026-11-25`. */
  day: string;
}

/**
 * Sets the version, dates the changelog, commits and tags.
 * @returns the notes of the release.
 * @throws Error when the tree has changes, the version does not follow, or there is nothing to release.
 */
export async function cutRelease({ folder, version, day }: Release): Promise<string> {
  const git = async (...args: string[]) => (await execute("git", args, { cwd: folder })).stdout.trim();
  if ((await git("status", "--porcelain")) !== "") throw new Error("The working tree has changes. Commit them first.");
  const current: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8")).version;
  if (!isNextVersion(String(current), version)) throw new Error(`${version} does not follow ${current}.`);
  const file = join(folder, "CHANGELOG.md");
  const { text, notes } = cutChangelog(await readFile(file, "utf8"), version, day);
  await writeFile(file, text);
  for (const name of ["package.json", "package-lock.json"]) await setVersion(join(folder, name), version);
  await git("commit", "--quiet", "--all", "--message", `release: ${version}`);
  await git("tag", "--annotate", `v${version}`, "--message", notes);
  return notes;
}

async function setVersion(file: string, version: string): Promise<void> {
  const json = JSON.parse(await readFile(file, "utf8"));
  json.version = version;
  if (json.packages?.[""] !== undefined) json.packages[""].version = version;
  await writeFile(file, `${JSON.stringify(json, null, 2)}\n`);
}

/** `npm run release -- 0.2.0`: a commit and a tag, then `npm run dist` with checksums and the list of components. */
async function main(): Promise<void> {
  const [version] = process.argv.slice(2);
  if (version === undefined) throw new Error("The version is missing: npm run release -- 0.2.0");
  const day = new Date().toISOString().slice(0, 10);
  const notes = await cutRelease({ folder: root, version, day });
  await execute("npm", ["run", "dist"], { cwd: root, shell: process.platform === "win32", maxBuffer: 64 * 2 ** 20 });
  await writeFile(join(root, "out/dist/NOTES.md"), `${notes}\n`);
  process.stdout.write(`Tagged v${version}; out/dist holds the package, its checksums and NOTES.md. Push both:\n`);
  process.stdout.write(`  git push origin HEAD v${version}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
}
