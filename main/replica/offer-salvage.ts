import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { hostRoutes } from "../../shared/host/host.routes.ts";
import { BodyBudget } from "../../shared/kernel/body-budget.ts";
import { anonymous } from "../../shared/kernel/caller.ts";
import { openDataFolder } from "../../shared/kernel/data-folder.ts";
import { errorHandler } from "../../shared/kernel/error-handler.ts";
import type { Failure } from "../../shared/kernel/failure.ts";
import { spokenLanguages } from "../../shared/kernel/languages.schema.ts";
import { type RouteEnvironment, resource, routesAbout } from "../../shared/kernel/resource.ts";
import { defaultSettings } from "../../shared/settings/settings.schema.ts";
import { version } from "../../shared/version.ts";
import { countUnsent } from "../sync/operation.repository.ts";
import { appPages, isAppPath } from "./app-pages.ts";
import { listenOnLastPort } from "./listen-on-last-port.ts";
import { createLocalGuard, type LocalGuard } from "./local-guard.ts";
import type { ReplicaOptions } from "./open-replica.ts";
import { salvageDatabase } from "./salvage.ts";
import { sessionRoutes } from "./session.routes.ts";

/** Where the replica is reached, and who may call it. It stays the same when the database is salvaged. */
export interface ReplicaAddress {
  url: string;
  port: number;
  guard: LocalGuard;
}

export interface SalvageOffer {
  options: Pick<ReplicaOptions, "dataDir" | "port" | "environment" | "log">;
  /** The error that reports the damage, with a message for the user. */
  damage: Failure;
  /** The replica's address before the damage was found; undefined if it had not started. */
  address: ReplicaAddress | undefined;
  /** Called with the address of the pages. @returns a promise that resolves when the process should stop. */
  onReachable(address: ReplicaAddress): Promise<void>;
}

/** The app's pages, which explain the damage, and the one call that repairs it. @param salvage returns the saved changes. */
function salvageApp(
  { guard, url }: ReplicaAddress,
  damage: Failure,
  log: Logger,
  salvage: () => Promise<number>,
): Express {
  const app = express();
  app.disable("x-powered-by");
  const routes: RouteEnvironment = {
    authenticate: async () => ({ ...anonymous, via: "replica" }),
    runOnce: (_req, _res, caller, work) => work(caller),
    bodies: new BodyBudget(),
    onDenied: async () => undefined,
    steps: [],
  };
  app.locals.routes = routes;
  const router = routesAbout("sync");
  resource(router, "/api/sync/salvage", {
    GET: (_req, res) => void res.json({ damage: damage.message }),
    POST: async (_req, res) => void res.json({ saved: await salvage() }),
  });
  const { name } = defaultSettings.site;
  const noSignIn = { sendsMail: false, providers: [], languages: spokenLanguages };
  const host = hostRoutes(() => ({ role: "replica", version, name, baseUrl: url, ...noSignIn }));
  const refuse: RequestHandler = () => {
    throw damage;
  };
  app.use((_req, res, next) => {
    res.setHeader("X-Content-Type-Options", "nosniff");
    next();
  });
  app.use("/api", host);
  app.use(guard.handler, sessionRoutes(guard), router, appPages(), refuse, errorHandler(log));
  return app;
}

/**
 * Runs in place of a replica whose database is damaged. Its pages offer to save unsent work and download the rest
 * again. Every other call is refused with the message of the damage (hosts-and-sync 7).
 * @returns true once the database is repaired, false if the program should end.
 */
export async function offerSalvage({ options, damage, address, onReachable }: SalvageOffer): Promise<boolean> {
  const folder = openDataFolder(options.dataDir, "replica");
  try {
    let app: Express | undefined;
    const listening = await listenOnLastPort((req, res) => app?.(req, res), folder.path, address?.port ?? options.port);
    const { port } = listening;
    const guard = address?.guard ?? createLocalGuard({ port, isOpenPath: isAppPath });
    const now = address ?? { url: `http://127.0.0.1:${port}`, port, guard };
    const { promise: salvaged, resolve: done } = Promise.withResolvers<void>();
    let running: Promise<number> | undefined;
    const salvage = async (): Promise<number> => {
      const database = await salvageDatabase(folder, `damaged-${options.environment.now()}`);
      const saved = await countUnsent(database.db);
      await database.close();
      done();
      return saved;
    };
    app = salvageApp(now, damage, options.log, () => {
      running ??= salvage().finally(() => {
        running = undefined;
      });
      return running;
    });
    const isRepaired = await Promise.race([salvaged.then(() => true), onReachable(now).then(() => false)]);
    await running?.catch(() => undefined);
    await listening.close(10_000);
    return isRepaired;
  } finally {
    folder.release();
  }
}
