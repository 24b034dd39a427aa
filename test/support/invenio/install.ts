import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const release = "14.0.5";
const searchRelease = "3.8.0";
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "carrel-invenio");
const packages = [`invenio-app-rdm[opensearch2]==${release}`, "gunicorn", "psycopg2-binary", "setuptools<81"];

/** A part of the real server that this machine does not have. */
export class Missing extends Error {}

async function hasCommand(name: string): Promise<boolean> {
  return run("sh", ["-c", `command -v ${name}`]).then(
    () => true,
    () => false,
  );
}

/** Finds a program. @throws Missing with what to install. */
export async function requireCommand(name: string, debianPackage: string): Promise<void> {
  if (!(await hasCommand(name))) throw new Missing(`${name} is missing. Install Debian's ${debianPackage}.`);
}

/** InvenioRDM in a Python environment of its own; the first call takes some minutes. @returns its folder of programs. */
export async function installInvenio(print: (line: string) => void): Promise<string> {
  const folder = join(cache, `invenio-${release}`);
  const bin = join(folder, "bin");
  if (existsSync(join(folder, "complete"))) return bin;
  await requireCommand("python3", "python3-venv");
  print(`installs InvenioRDM ${release} into ${folder}, which takes some minutes`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  try {
    await run("python3", ["-m", "venv", folder]);
    await run(join(bin, "pip"), ["install", "--quiet", ...packages], { maxBuffer: 2 ** 26 });
    await mkdir(join(folder, "complete"));
  } catch (error) {
    throw new Missing(
      `InvenioRDM cannot be installed: ${String((error as { stderr?: string }).stderr ?? error).slice(-500)}`,
    );
  }
  return bin;
}

/** The newest Java that can run OpenSearch. @returns its folder. */
export function findJava(): string {
  const homes = [
    process.env.JAVA_HOME ?? "",
    ...(existsSync("/usr/lib/jvm") ? readdirSync("/usr/lib/jvm") : []).map((name) => join("/usr/lib/jvm", name)),
  ];
  const java = homes.find((home) => {
    const about = join(home, "release");
    const version =
      home && existsSync(about) ? /JAVA_VERSION="(\d+)/.exec(readFileSync(about, "utf8"))?.[1] : undefined;
    return Number(version) >= 21;
  });
  if (java === undefined) throw new Missing("OpenSearch needs Java 21 or later, in JAVA_HOME or /usr/lib/jvm.");
  return java;
}

/** OpenSearch from Maven Central. @returns its folder. */
export async function installSearch(print: (line: string) => void): Promise<string> {
  const folder = join(cache, `opensearch-${searchRelease}`);
  if (existsSync(folder)) return folder;
  await requireCommand("mvn", "maven");
  await requireCommand("unzip", "unzip");
  print(`fetches OpenSearch ${searchRelease}, 217 MB`);
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "tmp-"));
  const artifact = `org.opensearch.distribution.integ-test-zip:opensearch:${searchRelease}:zip`;
  try {
    await run("mvn", ["-q", "-B", "dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${work}`], {
      cwd: work,
    });
    await run("unzip", ["-q", join(work, `opensearch-${searchRelease}.zip`), "-d", work], { maxBuffer: 2 ** 26 });
    await rename(join(work, `opensearch-${searchRelease}`), folder);
  } catch (error) {
    throw new Missing(`OpenSearch cannot be fetched: ${String(error).slice(-500)}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}
