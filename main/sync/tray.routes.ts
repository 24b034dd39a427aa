import type { Router } from "express";
import type { Services } from "../../shared/api.ts";
import { answer, answerNothing } from "../../shared/kernel/answer.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../../shared/kernel/resource.ts";
import { envelope } from "../../shared/kernel/search-envelope.ts";
import { isOfRemovedFile } from "./announced-files.repository.ts";
import type { Operation } from "./operation.repository.ts";
import type { CopyResult, Tray } from "./tray.service.ts";
import { presentTrayEntry } from "./tray-entry.ts";

export interface TrayRoutesOptions {
  host: Host;
  services: Services;
  tray: Tray;
}

function noneIfRefused(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}

/** The bodies of the objects that rejected operations are about. */
function bodiesOf({ host, services }: Pick<TrayRoutesOptions, "host" | "services">) {
  async function draftBody(caller: Caller, id: string): Promise<unknown> {
    const draft = await services.records.findDraft(host.db, id);
    return services.bodies.ofDraft(host.db, draft, await services.access.ofDraft(host.db, caller, draft));
  }

  async function recordBody(caller: Caller, id: string): Promise<unknown> {
    const { record, family } = await services.records.find(host.db, caller, id);
    return services.bodies.ofRecord(host.db, record, family);
  }

  async function presentBody(caller: Caller, row: Operation): Promise<unknown> {
    if (row.aggregate_kind !== "request") {
      const { draft } = await services.records.findRows(host.db, row.object_id);
      return draft ? draftBody(caller, row.object_id) : recordBody(caller, row.object_id);
    }
    const request = await services.requests.find(host.db, row.aggregate_id);
    return request && services.requests.present(host.db, caller, request, false);
  }

  /** The title of the record that an untitled request is about. */
  async function topicTitle(caller: Caller, row: Operation): Promise<unknown> {
    if (row.aggregate_kind !== "request") return undefined;
    const request = await services.requests.find(host.db, row.aggregate_id);
    if (request?.title !== "") return undefined;
    const { expanded } = await services.requests.present(host.db, caller, request, true);
    return (expanded as { topic?: { title?: unknown } } | undefined)?.topic?.title;
  }

  return { draftBody, presentBody, topicTitle };
}

/** Rejected operations (hosts-and-sync 5, 8). */
export function trayRoutes({ host, services, tray }: TrayRoutesOptions): Router {
  const router = routesAbout("sync");
  const listOf = (name: string, hits: unknown[]) =>
    envelope({
      hits,
      total: hits.length,
      page: 1,
      size: Math.max(1, hits.length),
      sort: "oldest",
      url: `${host.baseUrl}/api/sync/${name}`,
    });

  const bodies = bodiesOf({ host, services });

  /** With the object's state on the server as last fetched, or with the stored refusal if the object is gone. */
  async function entry(caller: Caller, row: Operation) {
    const stored = row.server === null ? null : JSON.parse(row.server);
    const body = await bodies.presentBody(caller, row).catch(noneIfRefused);
    const shown = presentTrayEntry(row, body ?? stored, {
      isHere: body !== undefined,
      isFileRemoved: await isOfRemovedFile(host.db, row),
      topic: await bodies.topicTitle(caller, row).catch(noneIfRefused),
    });
    const { content } = shown.operation;
    if (content) shown.operation.content = await services.draftContent.named(host.db, content);
    return shown;
  }

  async function bodyOf(caller: Caller, copied: CopyResult): Promise<unknown> {
    if (copied.kind === "comment") return copied;
    return bodies.draftBody(caller, copied.id);
  }

  resource(router, "/api/sync/tray", {
    GET: async (req, res) => {
      const entries = [];
      for (const row of await tray.list()) entries.push(await entry(callerOf(req), row));
      await answer(req, res, 200, listOf("tray", entries));
    },
  });
  resource(router, "/api/sync/operations/:id", {
    DELETE: withoutBody(async (req, res) => {
      await tray.withdraw(pathPart(req, "id"));
      answerNothing(res);
    }),
  });
  resource(router, "/api/sync/tray/:id", {
    DELETE: withoutBody(async (req, res) => {
      await tray.discard(pathPart(req, "id"));
      answerNothing(res);
    }),
  });
  resource(router, "/api/sync/tray/:id/retry", {
    POST: withoutBody(async (req, res) =>
      answer(req, res, 200, await entry(callerOf(req), await tray.retry(pathPart(req, "id")))),
    ),
  });
  resource(router, "/api/sync/tray/:id/copy", {
    POST: withoutBody(async (req, res) =>
      answer(req, res, 201, await bodyOf(callerOf(req), await tray.copy(pathPart(req, "id")))),
    ),
  });
  return router;
}
