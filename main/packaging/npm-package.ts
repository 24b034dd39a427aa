import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { buildProgram, buildRenderer } from "../dev-build.ts";
import { installedLibraries } from "./installed-libraries.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const execute = promisify(execFile);
/** Runs npm, which is a script that needs a shell on Windows. */
const npm = (args: string[]) =>
  execute("npm", args, { cwd: root, maxBuffer: 64 * 2 ** 20, shell: process.platform === "win32" });

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});

/**
 * Writes the folder of the npm package `carrel`: the bundled program, the pages of the app, and a manifest that names
 * only the libraries of `installedLibraries`.
 *
 * @param folder - an empty or new folder.
 * @throws Error if the sources cannot be built.
 */
export async function writeNpmPackage(folder: string, say: (line: string) => void): Promise<void> {
  await buildRenderer(say);
  await buildProgram(say);
  const { dependencies, ...about } = manifest.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
  await mkdir(folder, { recursive: true });
  // Electron's entry has no use without Electron.
  const isWanted = (path: string) => basename(path) !== "index.js";
  await cp(join(root, "out/main"), join(folder, "out/main"), { recursive: true, filter: isWanted });
  await cp(join(root, "out/renderer"), join(folder, "out/renderer"), { recursive: true });
  await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
  await cp(join(root, "main/packaging/npm-readme.md"), join(folder, "README.md"));
  const named = installedLibraries.map((name) => [name, dependencies[name]]);
  const written = {
    ...about,
    type: "module",
    bin: { carrel: "out/main/cli.js" },
    dependencies: Object.fromEntries(named),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(written, null, 2)}\n`);
}

/** Packs a folder with npm. @returns path of the archive. */
export async function packFolder(folder: string, into: string): Promise<string> {
  const { stdout } = await npm(["pack", folder, "--pack-destination", into, "--json", "--ignore-scripts"]);
  const [packed] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(stdout));
  if (!packed) throw new Error(`npm packed nothing from ${folder}.`);
  return join(into, packed.filename);
}

/** `npm run dist`: the package, its list of components and the checksums of both, in `out/dist`. */
async function main(): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const folder = join(root, "out/dist");
  await rm(folder, { recursive: true, force: true });
  await writeNpmPackage(join(folder, "package"), say);
  const archive = await packFolder(join(folder, "package"), folder);
  const components = archive.replace(/[.]tgz$/, ".cdx.json");
  await writeFile(components, (await npm(["run", "--silent", "sbom"])).stdout);
  const lines = await Promise.all([archive, components].map(checksumLine));
  await writeFile(join(folder, "SHA256SUMS"), lines.join(""));
  for (const path of [archive, components, join(folder, "SHA256SUMS")]) process.stdout.write(`${path}\n`);
}

/** A line for `sha256sum --check`. */
async function checksumLine(file: string): Promise<string> {
  const digest = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  return `${digest}  ${basename(file)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
