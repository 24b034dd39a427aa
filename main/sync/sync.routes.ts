import type { Router } from "express";
import { z } from "zod";
import type { DiskBlobStore } from "../../shared/blobs/disk-blob-store.ts";
import type { Db, Tx } from "../../shared/database/open.ts";
import { deskService } from "../../shared/desk/desk.service.ts";
import { answer } from "../../shared/kernel/answer.ts";
import { booleanParameter } from "../../shared/kernel/booleans.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { ObjectRef } from "../../shared/kernel/object-ref.ts";
import { parse } from "../../shared/kernel/parse.ts";
import { type ApiRouter, resource, routesAbout, withoutBody } from "../../shared/kernel/resource.ts";
import { envelope } from "../../shared/kernel/search-envelope.ts";
import { passwordForm, tokenForm } from "../../shared/sync-protocol/connect.schema.ts";
import { type PasswordForm, returnToken, SignInUnknown, tokenByPassword } from "../upstreams/carrel/sign-in.ts";
import { isInvenio } from "../upstreams/recognise.ts";
import { addressOf, assertSecure } from "./address.ts";
import { connectReplica } from "./connect.ts";
import type { Connection } from "./connection.ts";
import type { SyncEngine } from "./engine.ts";
import type { Keeper } from "./keeper.ts";
import { presentDone, presentOperation } from "./operation.presenter.ts";
import { countUnsent, listDone } from "./operation.repository.ts";
import { waitingForOthers, waitingForRefused } from "./order.policy.ts";
import { removeEverything } from "./remove-everything.ts";
import { listOpenWithTopics } from "./sending.repository.ts";
import { readStatus } from "./status.ts";
import { countUnsentTemplates } from "./template-mirror.ts";
import type { WindowEvents } from "./window-events.ts";

const disconnectQuery = z.object({
  data: z.enum(["keep", "remove"]).default("keep"),
  force: booleanParameter.default(false),
});
const asksByPassword = (body: unknown): boolean =>
  typeof body === "object" && body !== null && !("token" in body) && ("account" in body || "password" in body);

const needsToken = (): Failure =>
  new Failure(
    "invalid",
    "This is an InvenioRDM or Zenodo. Carrel signs in there with a personal token: create one on its web site, then paste it here.",
  );

async function presentUnsent(db: Db, connection: Connection) {
  const open = await listOpenWithTopics(db);
  const waiting = waitingForRefused(open);
  const unsent = open.filter(({ state }) => state !== "rejected");
  const aside = new Map(unsent.map((row) => [row, connection.findAside(row)]));
  const behind = waitingForOthers(open, (row) => aside.get(row) === undefined);
  return unsent.map((row) =>
    presentOperation(row, connection.nextAttempt, {
      refused: waiting.get(row),
      aside: aside.get(row),
      isBehind: behind.has(row),
    }),
  );
}

export interface SyncRoutesOptions {
  host: Host;
  engine: SyncEngine;
  keeper: Keeper;
  events: WindowEvents;
  /** The bytes on this computer. */
  disk: DiskBlobStore;
  project(tx: Tx, touched: ObjectRef[]): Promise<void>;
}

/** Unsent and delivered operations. */
function outboxRoutes(router: ApiRouter, { db, baseUrl }: Host, engine: SyncEngine): void {
  resource(router, "/api/sync/operations", {
    GET: async (req, res) => {
      const hits = await presentUnsent(db, engine.connection);
      const page = { hits, total: hits.length, page: 1, size: Math.max(1, hits.length), sort: "oldest" };
      await answer(req, res, 200, envelope({ ...page, url: `${baseUrl}/api/sync/operations` }));
    },
  });
  resource(router, "/api/sync/done", {
    GET: async (req, res) => answer(req, res, 200, { done: (await listDone(db, 20)).map(presentDone) }),
  });
}

/** Status and control of sync: `/api/sync` of a replica (hosts-and-sync 5). */
export function replicaSyncRoutes({ host, engine, keeper, events, disk, project }: SyncRoutesOptions): Router {
  const { db } = host;
  const router = routesAbout("sync");
  const status = () => readStatus(db, engine, keeper);

  async function connectByPassword(form: PasswordForm & { server: string; allow_insecure: boolean }): Promise<void> {
    const { server, allow_insecure: isInsecureAllowed } = form;
    assertSecure(server, isInsecureAllowed);
    const token = await tokenByPassword(server, form).catch(async (error: unknown) => {
      throw error instanceof SignInUnknown && (await isInvenio(addressOf(server))) ? needsToken() : error;
    });
    try {
      await connectReplica(db, engine, server, token, { isInsecureAllowed });
    } catch (error) {
      // An unused token should not stay valid. The first error is the one to report.
      await returnToken(server, token).catch(() => undefined);
      throw error;
    }
  }

  resource(router, "/api/sync/status", {
    GET: async (req, res) => answer(req, res, 200, await status()),
  });
  resource(router, "/api/sync/events", {
    GET: { produces: [], handle: (req, res) => events.open(req, res) },
  });
  resource(router, "/api/sync/run", {
    POST: withoutBody(async (req, res) => {
      engine.retryNow();
      await answer(req, res, 202, await status());
    }),
  });
  for (const [name, isPaused] of [
    ["pause", true],
    ["resume", false],
  ] as const) {
    resource(router, `/api/sync/${name}`, {
      POST: withoutBody(async (req, res) => {
        await engine.setPaused(isPaused);
        await answer(req, res, 200, await status());
      }),
    });
  }
  resource(router, "/api/sync/connect", {
    POST: async (req, res) => {
      if (asksByPassword(req.body)) {
        await connectByPassword(parse(passwordForm, req.body));
      } else {
        const { server, token, allow_insecure: isInsecureAllowed } = parse(tokenForm, req.body);
        await connectReplica(db, engine, server, token, { isInsecureAllowed });
      }
      await answer(req, res, 200, await status());
    },
    DELETE: withoutBody(async (req, res) => {
      const { data, force } = parse(disconnectQuery, req.query);
      if (data === "remove") {
        const unsent = (await countUnsent(db)) + (await countUnsentTemplates(db, deskService(db)));
        if (unsent > 0 && !force) {
          throw new Failure(
            "conflict",
            `${unsent === 1 ? "1 change has" : `${unsent} changes have`} not reached the server. Send what is left first, or force the removal.`,
          );
        }
        await engine.disconnect();
        await removeEverything({ db, disk, project });
        await keeper.reload();
      } else await engine.disconnect();
      await answer(req, res, 200, await status());
    }),
  });
  outboxRoutes(router, host, engine);
  return router;
}
