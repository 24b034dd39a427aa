import { execFile, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { until } from "../until.ts";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);
const version = "v1.8.0";
const module = `github.com/versity/versitygw/cmd/versitygw@${version}`;
const keys = { AWS_ACCESS_KEY_ID: "carrel", AWS_SECRET_ACCESS_KEY: "carrel-secret" };
const bucket = "carrel";
const regionQuery = "region=us-east-1";

/** An S3 store that runs. Its keys are in the environment of this process. */
export interface TestStore {
  /** An address with a prefix that nobody used before. `endpoint`: of a proxy before the store. */
  freshAddress(endpoint?: string): string;
  port: number;
  stop(): Promise<void>;
}

const cache = () => join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "carrel-engines");
const built = () => join(cache(), `versitygw-${version}`);

function findOnPath(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/local/go/bin"];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

const findProgram = (): string | undefined => (existsSync(built()) ? built() : findOnPath("versitygw"));

/** Whether the Go here can build the store: 1.26 or later. */
function findGo(): string | undefined {
  const go = findOnPath("go");
  if (go === undefined) return undefined;
  const [, minor = "0"] = /go1[.](\d+)/.exec(execFileSync(go, ["version"], { encoding: "utf8" })) ?? [];
  return Number(minor) >= 26 ? go : undefined;
}

/** Whether tests on a bucket can run. */
export const canStartStore = (): boolean =>
  Boolean(process.env.CARREL_TEST_BLOBS) || findProgram() !== undefined || findGo() !== undefined;

/** Builds versitygw once; later runs find it in the cache of the account. */
async function build(go: string): Promise<string> {
  process.stderr.write(`building versitygw ${version} for the tests on a bucket, once: this takes minutes\n`);
  await mkdir(cache(), { recursive: true });
  const folder = await mkdtemp(join(cache(), "tmp."));
  try {
    // Without optimisation and C code the build takes two thirds of the processor time, and the store is quick enough.
    const options = ["-gcflags=all=-N -l", "-ldflags=-s -w"];
    await run(go, ["install", ...options, module], { env: { ...process.env, CGO_ENABLED: "0", GOBIN: folder } });
    await rename(join(folder, "versitygw"), built());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return built();
}

function addressOf(port: number, prefix: string, endpoint = `http://127.0.0.1:${port}`): string {
  return `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&${regionQuery}`;
}

/** A running store that somebody else looks after. */
function named(address: string): TestStore {
  const url = new URL(address);
  const endpoint = url.searchParams.get("endpoint");
  const port = Number(new URL(endpoint ?? "http://127.0.0.1:80").port || 80);
  const freshAddress = (through?: string) => {
    const fresh = new URL(url);
    fresh.pathname = `${url.pathname.replace(/\/$/, "")}/test-${randomUUID()}`;
    if (through !== undefined) fresh.searchParams.set("endpoint", through);
    return fresh.href;
  };
  return { freshAddress, port, stop: async () => undefined };
}

/** Whether the bucket exists, made now or before. */
async function hasBucket(endpoint: string): Promise<boolean> {
  const { CreateBucketCommand, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, maxAttempts: 1 });
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return true;
  } catch (error) {
    return error instanceof Error && error.name === "BucketAlreadyOwnedByYou";
  } finally {
    client.destroy();
  }
}

async function start(program: string): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bucket-"));
  await mkdir(join(folder, "data"));
  Object.assign(process.env, keys);
  const port = await freePort();
  const env = { ...process.env, ROOT_ACCESS_KEY: keys.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: keys.AWS_SECRET_ACCESS_KEY };
  const options = ["--port", `127.0.0.1:${port}`, "--region", "us-east-1", "--quiet"];
  const store = spawn(program, [...options, "posix", join(folder, "data")], { env, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => store.once("exit", () => resolve()));
  await until(() => hasBucket(`http://127.0.0.1:${port}`), "the store answers");
  return {
    freshAddress: (endpoint) => addressOf(port, `test-${randomUUID()}`, endpoint),
    port,
    stop: async () => {
      store.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts versitygw, or takes the store that `CARREL_TEST_BLOBS` names, with the keys of the environment.
 * @returns undefined where there is none, which is said on stderr.
 */
export async function startStore(): Promise<TestStore | undefined> {
  const address = process.env.CARREL_TEST_BLOBS;
  if (address) return named(address);
  const go = findProgram() === undefined ? findGo() : undefined;
  const program = findProgram() ?? (go && (await build(go)));
  if (program !== undefined) return start(program);
  process.stderr.write("SKIPPED: tests on a bucket. Install Go 1.26 or versitygw, or set CARREL_TEST_BLOBS.\n");
  return undefined;
}
