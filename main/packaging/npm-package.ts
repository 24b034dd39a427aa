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
/** Runs npm. On Windows it is a script, which needs a shell. */
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
 * Writes the folder of the npm package `carrel`: the bundled program, the pages of the app, what operators read, and a
 * manifest that names only the libraries of `installedLibraries`.
 *
 * @param folder an empty or new folder
 * @throws Error if the build fails
 */
export async function writeNpmPackage(folder: string, print: (line: string) => void): Promise<void> {
  await buildRenderer(print);
  await buildProgram(print);
  const { dependencies, ...rest } = manifest.parse(JSON.parse(await readFile(join(root, "package.json"), "utf8")));
  await mkdir(folder, { recursive: true });
  // The package has no Electron, so it does not need Electron's entry file.
  const isNeeded = (path: string) => basename(path) !== "index.js";
  await cp(join(root, "out/main"), join(folder, "out/main"), { recursive: true, filter: isNeeded });
  await cp(join(root, "out/renderer"), join(folder, "out/renderer"), { recursive: true });
  await cp(join(root, "LICENSE"), join(folder, "LICENSE"));
  for (const name of ["operations.md", "settings.md", "deploy"])
    await cp(join(root, "server", name), join(folder, "server", name), { recursive: true });
  await cp(join(root, "main/packaging/npm-readme.md"), join(folder, "README.md"));
  const versions = installedLibraries.map((name) => [name, dependencies[name]]);
  const packageJson = {
    ...rest,
    type: "module",
    bin: { carrel: "out/main/cli.js" },
    dependencies: Object.fromEntries(versions),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(packageJson, null, 2)}\n`);
}

/** Packs a folder with npm. @returns path of the archive. */
export async function packFolder(folder: string, into: string): Promise<string> {
  const { stdout } = await npm(["pack", folder, "--pack-destination", into, "--json", "--ignore-scripts"]);
  const [packed] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(stdout));
  if (!packed) throw new Error(`npm pack wrote no archive of ${folder}.`);
  return join(into, packed.filename);
}

/** `npm run dist`: writes the package, its software bill of materials and the checksums of both to `out/dist`. */
async function main(): Promise<void> {
  const print = (line: string) => process.stderr.write(`${line}\n`);
  const folder = join(root, "out/dist");
  await rm(folder, { recursive: true, force: true });
  await writeNpmPackage(join(folder, "package"), print);
  const archive = await packFolder(join(folder, "package"), folder);
  const sbom = archive.replace(/[.]tgz$/, ".cdx.json");
  await writeFile(sbom, (await npm(["run", "--silent", "sbom"])).stdout);
  const lines = await Promise.all([archive, sbom].map(checksumLine));
  await writeFile(join(folder, "SHA256SUMS"), lines.join(""));
  for (const path of [archive, sbom, join(folder, "SHA256SUMS")]) process.stdout.write(`${path}\n`);
}

/** A line for `sha256sum --check`. */
async function checksumLine(file: string): Promise<string> {
  const digest = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
  return `${digest}  ${basename(file)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
