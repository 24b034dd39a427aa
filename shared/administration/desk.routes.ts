import type { Request, Response, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout, smallBodyBytes, withoutBody } from "../kernel/resource.ts";
import { backupSchedule } from "./administration.schema.ts";
import { presentBackups } from "./backup.presenter.ts";
import { type OverviewParts, overviewService, requireDesk } from "./overview.service.ts";
import type { Queue, ServerDesk } from "./server-desk.ts";

/** `/api/administration`: what needs attention, queues and backups of a server (app, Missing 10). */
export function deskRoutes(parts: OverviewParts): Router {
  const { host, desk } = parts;
  const router = routesAbout("library");
  const overview = overviewService(parts);
  const deskFor = (req: Request): ServerDesk => requireDesk(desk, callerOf(req));

  resource(router, "/administration/overview", {
    server: ["GET"],
    GET: async (req, res) => answer(req, res, 200, await overview(callerOf(req))),
  });

  const queues = { mail: (of: ServerDesk) => of.mail, dois: (of: ServerDesk) => of.dois };
  for (const [name, queueOf] of Object.entries<(of: ServerDesk) => Queue>(queues)) {
    const action = name === "mail" ? "mail.retry" : "doi.retry";

    async function list(req: Request, res: Response): Promise<void> {
      const queue = queueOf(deskFor(req));
      const counts = await queue.counts();
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const hits = await queue.list();
      await answer(req, res, 200, { hits: { hits, total }, counts, is_configured: queue.isConfigured });
    }

    async function retry(req: Request, res: Response, id?: string): Promise<void> {
      const retried = await queueOf(deskFor(req)).retry(id);
      const details = { retried, ...(id === undefined ? {} : { id }) };
      await host.audit(host.db, callerOf(req), { action, details });
      host.announceCommit();
      await answer(req, res, 200, { retried });
    }

    resource(router, `/administration/${name}`, { server: ["GET"], GET: list });
    resource(router, `/administration/${name}/actions/retry`, {
      server: ["POST"],
      POST: withoutBody((req, res) => retry(req, res)),
    });
    resource(router, `/administration/${name}/:id/actions/retry`, {
      server: ["POST"],
      POST: withoutBody((req, res) => retry(req, res, pathPart(req, "id"))),
    });
  }
  resource(router, "/administration/mail/:id", {
    server: ["DELETE"],
    DELETE: withoutBody(async (req, res) => {
      const id = pathPart(req, "id");
      if (!(await deskFor(req).mail.discard(id))) throw notFound();
      await host.audit(host.db, callerOf(req), { action: "mail.discard", object: { type: "mail", id } });
      answerNothing(res);
    }),
  });
  addBackups(router, host, deskFor);
  return router;
}

function addBackups(
  router: ReturnType<typeof routesAbout>,
  { now }: Pick<Host, "now">,
  deskFor: (req: Request) => ServerDesk,
): void {
  async function show(req: Request, res: Response, status = 200): Promise<void> {
    await answer(req, res, status, presentBackups(await deskFor(req).backups.state(), now()));
  }

  resource(router, "/administration/backups", {
    server: ["GET", "POST"],
    GET: (req, res) => show(req, res),
    POST: withoutBody(async (req, res) => {
      await deskFor(req).backups.begin(callerOf(req));
      await show(req, res, 202);
    }),
  });
  resource(router, "/administration/backups/schedule", {
    server: ["PUT"],
    PUT: {
      maxBytes: smallBodyBytes,
      handle: async (req, res) => {
        const { backups } = deskFor(req);
        await backups.setSchedule(callerOf(req), parse(backupSchedule, req.body ?? {}));
        await show(req, res);
      },
    },
  });
}
