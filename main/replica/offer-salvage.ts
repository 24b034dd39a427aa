import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { anonymous } from "../../shared/kernel/caller.ts";
import { openDataFolder } from "../../shared/kernel/data-folder.ts";
import { errorHandler } from "../../shared/kernel/error-handler.ts";
import type { Failure } from "../../shared/kernel/failure.ts";
import { newRouter, type RouteEnvironment, resource } from "../../shared/kernel/resource.ts";
import { countUnsent } from "../sync/operation.repository.ts";
import { appRoutes, isAppPath } from "./app.routes.ts";
import { createDoor, type Door } from "./door.ts";
import { listenAgain } from "./listen-again.ts";
import type { ReplicaOptions } from "./open-replica.ts";
import { salvageDatabase } from "./salvage.ts";
import { sessionRoutes } from "./session.routes.ts";

/** Where a replica is reached, and by whom: the same before and after its database was salvaged. */
export interface Reached {
  url: string;
  port: number;
  door: Door;
}

export interface SalvageOffer {
  options: Pick<ReplicaOptions, "dataDir" | "port" | "environment" | "log">;
  /** What is wrong, in words. */
  damage: Failure;
  /** Where the replica was reached until then; undefined when it never opened. */
  at: Reached | undefined;
  /** Told where the offer stands. @returns what is resolved when the process is asked to stop. */
  onReachable(at: Reached): Promise<void>;
}

/** The pages of the app, by which the person is told what is wrong, and the one call that mends it: `{saved}` changes. */
function salvageApp(door: Door, damage: Failure, log: Logger, salvage: () => Promise<number>): Express {
  const app = express();
  app.disable("x-powered-by");
  const routes: RouteEnvironment = {
    authenticate: async () => ({ ...anonymous, via: "replica" }),
    runOnce: (_req, _res, _caller, work) => work(),
  };
  app.locals.routes = routes;
  const router = newRouter();
  resource(router, "/api/sync/salvage", {
    GET: (_req, res) => void res.json({ damage: damage.message }),
    POST: async (_req, res) => void res.json({ saved: await salvage() }),
  });
  const refuse: RequestHandler = () => {
    throw damage;
  };
  app.use((_req, res, next) => {
    res.setHeader("X-Content-Type-Options", "nosniff");
    next();
  });
  app.use(door.guard, sessionRoutes(door), router, appRoutes(), refuse, errorHandler(log));
  return app;
}

/**
 * Stands in for a replica whose database is damaged: its pages say so and offer to save unsent work and fetch the rest
 * again; everything else is refused in the same words (hosts-and-sync 7).
 * @returns true once the database is sound again, false when the program is to end.
 */
export async function offerSalvage({ options, damage, at, onReachable }: SalvageOffer): Promise<boolean> {
  const folder = openDataFolder(options.dataDir, "replica");
  try {
    let app: Express | undefined;
    const listening = await listenAgain((req, res) => app?.(req, res), folder.path, at?.port ?? options.port);
    const { port } = listening;
    const reached = at ?? { url: `http://127.0.0.1:${port}`, port, door: createDoor({ port, isOpenPath: isAppPath }) };
    const { promise: salvaged, resolve: done } = Promise.withResolvers<void>();
    let running: Promise<number> | undefined;
    const salvage = async (): Promise<number> => {
      const database = await salvageDatabase(folder, `damaged-${options.environment.now()}`);
      const saved = await countUnsent(database.db);
      await database.close();
      done();
      return saved;
    };
    app = salvageApp(reached.door, damage, options.log, () => {
      running ??= salvage().finally(() => {
        running = undefined;
      });
      return running;
    });
    const isSound = await Promise.race([salvaged.then(() => true), onReachable(reached).then(() => false)]);
    await running?.catch(() => undefined);
    await listening.close(10_000);
    return isSound;
  } finally {
    folder.release();
  }
}
