import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpClient } from "../http-client.ts";
import { CarrelProcess, runCarrel } from "../process.ts";
import type { TestDatabase } from "./postgres.ts";

/** Two server processes on one PostgreSQL database and one folder of bytes. */
export class PostgresServers {
  readonly data: string;
  readonly #folder: string;
  readonly #database: TestDatabase;
  readonly #processes: CarrelProcess[] = [];
  readonly urls: string[] = [];

  private constructor(folder: string, database: TestDatabase) {
    this.#folder = folder;
    this.data = join(folder, "data");
    this.#database = database;
  }

  static async start(database: TestDatabase): Promise<PostgresServers> {
    const servers = new PostgresServers(await mkdtemp(join(tmpdir(), "carrel-two-")), database);
    await Promise.all([servers.begin(0), servers.begin(1)]);
    return servers;
  }

  /** Starts a process that is not running. */
  async begin(at: number): Promise<void> {
    const place = ["--data", this.data, "--database", this.#database.address, "--port", "0"];
    const begun = new CarrelProcess(["server", ...place, "--base-url", "http://127.0.0.1", "--log-level", "fatal"]);
    this.#processes[at] = begun;
    this.urls[at] = (await begun.ready()).url;
  }

  async kill(at: number): Promise<void> {
    await this.#processes[at]?.stop("SIGKILL");
  }

  /** A new user's token. */
  async person(name: string): Promise<string> {
    const user = ["--username", name, "--email", `${name}@example.org`, "--token", "test"];
    const { stdout, stderr } = await runCarrel("users", "create", "--data", this.data, ...user);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout).token;
  }

  client = (at: number, token: string): HttpClient => new HttpClient(this.urls[at] ?? "", token);

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((one) => one.stop("SIGTERM")));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    await this.#database.drop();
  }
}
