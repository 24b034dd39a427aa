import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { buildRenderer } from "../../main/dev-build.ts";
import { offerSalvage, type ReplicaAddress } from "../../main/replica/offer-salvage.ts";
import { openReplica, type RunningReplica } from "../../main/replica/open-replica.ts";
import { connectReplica } from "../../main/sync/connect.ts";
import { openServer, type RunningServer } from "../../server/open-server.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { createLog } from "../../shared/kernel/log.ts";
import { defaultSettings, type Settings } from "../../shared/settings/settings.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { HttpClient } from "../support/http-client.ts";
import { givenDatabase } from "../support/migrated-folder.ts";
import { type CutProxy, cutProxy } from "./cut-proxy.ts";

export interface Person {
  id: string;
  token: string;
  /** A client of the server itself. */
  server: HttpClient;
}

/** The ages of the sources are compared once for all tests of this process: it takes a quarter of opening a desk. */
let built: Promise<void> | undefined;

const common = { environment: machineEnvironment(), log: createLog("fatal") };

/** A real server, real replicas connected through a proxy that can be cut, and their windows. */
export class Desk {
  readonly server: RunningServer;
  readonly proxy: CutProxy;
  readonly #folder: string;
  readonly #replicas: RunningReplica[] = [];
  readonly #stopping = Promise.withResolvers<void>();
  readonly #offers: Promise<boolean>[] = [];

  private constructor(server: RunningServer, proxy: CutProxy, folder: string) {
    this.server = server;
    this.proxy = proxy;
    this.#folder = folder;
  }

  static async open(changes: Partial<Settings> = {}): Promise<Desk> {
    built ??= buildRenderer(() => {});
    await built;
    const folder = await mkdtemp(join(tmpdir(), "carrel-browser-"));
    const settings = { ...defaultSettings, ...changes };
    const server = await openServer({
      ...common,
      dataDir: await givenDatabase(join(folder, "server")),
      hostName: "127.0.0.1",
      port: 0,
      settings,
    });
    return new Desk(server, await cutProxy(Number(new URL(server.url).port)), folder);
  }

  /** Writes a file to choose in a page, and returns its path. One given as bytes travels as text, 0.2 s for each MB. */
  async file(name: string, bytes: Buffer): Promise<string> {
    const path = join(this.#folder, "chosen", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    return path;
  }

  /** The data folder of the server. */
  get dataDir(): string {
    return join(this.#folder, "server");
  }

  async person(username: string, fullName: string, roles: string[] = []): Promise<Person> {
    const { users, tokens } = this.server.services;
    const account = { username, email: `${username}@example.org`, full_name: fullName, roles };
    const id = await users.create(newUser.parse(account));
    const grant = { userId: id, byPassword: false, defaultScopes: ["read", "write", "tokens"] as const };
    const { secret } = await tokens.issue(grant, { name: "browser" });
    return { id, token: secret, server: new HttpClient(this.server.url, secret) };
  }

  /** Starts a replica; connected through the proxy if a user is given. */
  async replica(person?: Person): Promise<RunningReplica> {
    const dataDir = await givenDatabase(join(this.#folder, `replica-${this.#replicas.length}`));
    const replica = await openReplica({ ...common, dataDir, port: 0, startPaused: false });
    this.#replicas.push(replica);
    if (person) await connectReplica(replica.host.db, replica.engine, this.proxy.url, person.token);
    return replica;
  }

  /** The pages shown for a replica whose database is damaged. */
  async damaged(): Promise<ReplicaAddress> {
    const dataDir = join(this.#folder, "damaged");
    await mkdir(dataDir);
    await writeFile(join(dataDir, "carrel.sqlite"), "no database");
    const damage = new Failure("unavailable", `The database ${dataDir}/carrel.sqlite is damaged (SQLITE_NOTADB).`);
    return new Promise((resolve) => {
      const onReachable = (address: ReplicaAddress) => {
        resolve(address);
        return this.#stopping.promise;
      };
      const options = { ...common, dataDir, port: 0 };
      this.#offers.push(offerSalvage({ options, damage, address: undefined, onReachable }));
    });
  }

  async close(): Promise<void> {
    await closeWindowsOf([this.server.url, ...this.#replicas.map(({ url }) => url)]);
    this.#stopping.resolve();
    await Promise.all(this.#offers);
    for (const replica of this.#replicas) await replica.close();
    await this.proxy.close();
    await this.server.close();
    // A running fetch may still write its last part.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface Window {
  page: Page;
  context: BrowserContext;
  /** Violations of the content security policy, and errors of the page. */
  faults: string[];
}

const openPages = new Set<Page>();

/** Closes the windows left open at these hosts: their pages would go on asking, until the last test has ended. */
async function closeWindowsOf(urls: readonly string[]): Promise<void> {
  const left = [...openPages].filter((page) => urls.some((url) => page.url().startsWith(`${url}/`)));
  await Promise.all(left.map((page) => page.context().close()));
}

/** Longest delay of a call, in milliseconds; `npm run test:delayed` sets it. */
const longestDelayMs = Number(process.env.CARREL_DELAY_MS ?? 0);

/** Delays each call and each part of the app: most of them a little, some long, so that they overtake each other. */
async function delayCalls(context: BrowserContext): Promise<void> {
  await context.route(/\/(api|assets)\//, async (route) => {
    await delay(Math.random() ** 3 * longestDelayMs);
    // The window may be closed by now.
    await route.continue().catch(() => {});
  });
}

/** A window without a page. @param isNew the welcome page was never seen. @param baseURL what its paths belong to. */
export async function newWindow(browser: Browser, isNew = false, baseURL?: string): Promise<Window> {
  const context = await browser.newContext({
    ...(baseURL ? { baseURL } : {}),
    viewport: { width: 1280, height: 800 },
    colorScheme: "light",
    reducedMotion: "reduce",
    locale: "en-GB",
    acceptDownloads: true,
  });
  if (longestDelayMs > 0) await delayCalls(context);
  const faults: string[] = [];
  await context.exposeFunction("tellFault", (fault: string) => void faults.push(fault));
  await context.addInitScript(`
    if (${!isNew}) localStorage.setItem("carrel.welcomed", "1");
    document.addEventListener("securitypolicyviolation", (event) => window.tellFault("policy: " + event.violatedDirective + " " + event.blockedURI));
  `);
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`page: ${error.message}`));
  openPages.add(page);
  page.on("close", () => openPages.delete(page));
  return { page, context, faults };
}

/** Signs in a window without a page: loading one takes a second of processor time. */
export async function giveCookies(context: BrowserContext, url: string, cookies: string[]): Promise<void> {
  const pairs = cookies.map((text) => text.split(";", 1)[0]?.split("=") ?? []);
  await context.addCookies(pairs.map(([name = "", value = ""]) => ({ name, value, url })));
}

/**
 * Opens a signed-in window. At a path it opens like the desktop command, with a one-time code; else it shows no page
 * yet.
 */
export async function openWindow(
  browser: Browser,
  replica: Pick<RunningReplica, "url" | "guard">,
  { isNew = false, path }: { isNew?: boolean; path?: string } = {},
): Promise<Window> {
  const window = await newWindow(browser, isNew, replica.url);
  if (path === undefined) {
    await giveCookies(window.context, replica.url, [replica.guard.exchange(replica.guard.newCode()).cookie]);
    return window;
  }
  await window.page.goto(`${replica.url}${path}#t=${replica.guard.newCode()}`);
  // A page that is opened before the code is exchanged has no session yet.
  await window.page.waitForFunction(() => localStorage.getItem("carrel.csrf") !== null);
  return window;
}
