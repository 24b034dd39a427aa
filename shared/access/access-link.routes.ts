import type { Request, Router } from "express";
import type { AccessLinkRow } from "../database/schema.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { invalidField } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { dayOf } from "../kernel/timestamps.ts";
import { isDay } from "../metadata/edtf.schema.ts";
import { presentLink } from "./access-link.presenter.ts";
import { accessLinkInput } from "./access-link.schema.ts";
import type { AccessLinkService } from "./access-link.service.ts";

/** @throws Failure 400 unless the text is a day in the future (records 7.2). */
function assertFuture(day: string | null | undefined, today: string): void {
  if (day === null || day === undefined) return;
  if (!isDay(day)) throw invalidField("expires_at", "Not a valid date.");
  if (day <= today) throw invalidField("expires_at", "Expiration date must be set to the future");
}

/** Access links of a draft or record (records 7.2). */
export function accessLinkRoutes({ host, links }: { host: Host; links: AccessLinkService }): Router {
  const router = routesAbout("record");
  const present = async (link: AccessLinkRow) =>
    presentLink(link, await host.syncMark(host.db, { kind: "access-link", id: link.id }));

  /** Checks permission before the body. */
  async function read(req: Request, recordId: string) {
    await links.requireFamily(host.db, callerOf(req), recordId);
    const { expires_at, description, permission } = parse(accessLinkInput, req.body ?? {});
    assertFuture(expires_at, dayOf(host.byServer(host.now())));
    return { permission, expires_at, description };
  }

  resource(router, "/records/:id/access/links", {
    async GET(req, res) {
      const rows = await links.list(host.db, callerOf(req), pathPart(req, "id"));
      const hits = await Promise.all(rows.map(present));
      await answer(req, res, 200, { hits: { hits, total: hits.length } });
    },
    async POST(req, res) {
      const caller = callerOf(req);
      const recordId = pathPart(req, "id");
      const { permission, expires_at, description } = await read(req, recordId);
      const { id } = await links.create(caller, {
        id: host.newUuid(),
        recordId,
        token: host.newToken(),
        permission,
        expires_at: expires_at ?? null,
        description: description ?? "",
      });
      await answer(req, res, 201, await present(await links.require(host.db, caller, recordId, id)));
    },
  });

  resource(router, "/records/:id/access/links/:link", {
    async GET(req, res) {
      const link = await links.require(host.db, callerOf(req), pathPart(req, "id"), pathPart(req, "link"));
      await answer(req, res, 200, await present(link));
    },
    async PATCH(req, res) {
      const caller = callerOf(req);
      const [recordId, id] = [pathPart(req, "id"), pathPart(req, "link")];
      await links.require(host.db, caller, recordId, id);
      const { permission, expires_at, description } = await read(req, recordId);
      await links.update(caller, {
        id,
        recordId,
        permission,
        ...(expires_at === undefined ? {} : { expires_at }),
        ...(description === undefined ? {} : { description: description ?? "" }),
      });
      await answer(req, res, 200, await present(await links.require(host.db, caller, recordId, id)));
    },
    DELETE: withoutBody(async (req, res) => {
      await links.remove(callerOf(req), { id: pathPart(req, "link"), recordId: pathPart(req, "id") });
      answerNothing(res);
    }),
  });

  return router;
}
