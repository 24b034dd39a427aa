import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpClient, roundRobin } from "../http-client.ts";
import { CarrelProcess, type Ended, runCarrel } from "../process.ts";
import type { TestDatabase } from "./postgres.ts";

/** Two server processes on one PostgreSQL database and one folder of bytes. */
export class PostgresServers {
  readonly data: string;
  readonly #folder: string;
  readonly #database: TestDatabase;
  readonly #more: readonly string[];
  readonly #processes: CarrelProcess[] = [];
  readonly urls: string[] = [];

  private constructor(folder: string, database: TestDatabase, more: readonly string[]) {
    this.#folder = folder;
    this.data = join(folder, "data");
    this.#database = database;
    this.#more = more;
  }

  /** @param more arguments of `carrel server`, such as a bucket. */
  static async start(database: TestDatabase, more: readonly string[] = []): Promise<PostgresServers> {
    const servers = new PostgresServers(await mkdtemp(join(tmpdir(), "carrel-two-")), database, more);
    await Promise.all([servers.begin(0), servers.begin(1)]);
    return servers;
  }

  /** Starts a process that is not running. */
  async begin(at: number): Promise<void> {
    const place = ["--data", this.data, "--database", this.#database.address, ...this.#more, "--port", "0"];
    const common = ["--base-url", "http://127.0.0.1", "--drain", "0", "--log-level", "fatal"];
    const begun = new CarrelProcess(["server", ...place, ...common]);
    this.#processes[at] = begun;
    this.urls[at] = (await begun.ready()).url;
  }

  /** When a process ends by itself. */
  async ended(at: number): Promise<Ended> {
    const process = this.#processes[at];
    if (!process) throw new Error(`process ${at} was not started`);
    return process.ended;
  }

  async kill(at: number): Promise<void> {
    await this.#processes[at]?.stop("SIGKILL");
  }

  /** A new user's token. */
  person = async (name: string): Promise<string> => (await this.newUser(name)).token;

  async newUser(name: string): Promise<{ id: string; token: string }> {
    const user = ["--username", name, "--email", `${name}@example.org`, "--token", "test"];
    const { stdout, stderr } = await runCarrel("users", "create", "--data", this.data, ...user);
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout);
  }

  client = (at: number, token: string): HttpClient => new HttpClient(this.urls[at] ?? "", token);

  /** A client whose calls go to both processes alternately. */
  byTurns(token?: string): HttpClient {
    const [first = "", ...others] = this.urls;
    return new HttpClient(first, token, undefined, roundRobin([first, ...others]));
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((one) => one.stop("SIGTERM")));
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    await this.#database.drop();
  }
}
