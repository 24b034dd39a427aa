import type { Request, Response, Router } from "express";
import type { z } from "zod";
import type { AccessGrantRow } from "../database/schema.ts";
import { answer, answerNothing } from "../kernel/answer.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf, type Methods, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { presentGrant } from "../records/record.presenter.ts";
import type { RecordBodies } from "../records/record-facts.service.ts";
import { wantsExpanded } from "../requests/request.routes.ts";
import type { RequestService } from "../requests/request.service.ts";
import { accessSettings, grantChange, grantReplacement, grantsInput } from "./grant.schema.ts";
import type { GrantService } from "./grant.service.ts";

export interface GrantRouteServices {
  host: Host;
  bodies: RecordBodies;
  grants: GrantService;
  requests: Pick<RequestService, "expandUser">;
}

type Find = (req: Request, grants: AccessGrantRow[]) => AccessGrantRow | undefined;

const withoutAbsent = <T extends object>(object: T): Partial<T> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Makes the new grants with ascending ids. They have the same time, so lists keep the order of the request. */
function grantsToMake(host: Host, sent: z.infer<typeof grantsInput>["grants"]) {
  const ids = sent.map(() => host.newUuid()).sort();
  return sent.map(({ permission, subject, origin, message }, at) => {
    return { id: ids[at] ?? host.newUuid(), permission, subject, origin: origin ?? null, message: message ?? null };
  });
}

/** Presents a grant at its place in the list of its family; with `expand=1`, with the user who holds it. */
function presentation({ host, requests }: GrantRouteServices) {
  const subjectOf = async (req: Request, { subject_type: type, subject_id: id }: AccessGrantRow) =>
    type === "user" ? requests.expandUser(host.db, callerOf(req), id) : { id };

  return async (req: Request, all: readonly AccessGrantRow[], grant: AccessGrantRow) => {
    const sync = await host.syncMark(host.db, { kind: "access-grant", id: grant.id });
    return {
      ...presentGrant(grant, all.indexOf(grant)),
      ...(wantsExpanded(req) ? { expanded: { subject: await subjectOf(req, grant) } } : {}),
      ...(sync ? { sync } : {}),
    };
  };
}

/** Grants and settings of a draft or record (records 7.3). */
export function grantRoutes(services: GrantRouteServices): Router {
  const { host, bodies, grants } = services;
  const router = routesAbout("record");

  const present = presentation(services);

  async function answerList(req: Request, res: Response, status: number, keeps: (grant: AccessGrantRow) => boolean) {
    const all = await grants.list(host.db, callerOf(req), pathPart(req, "id"));
    const hits = await Promise.all(all.filter(keeps).map((grant) => present(req, all, grant)));
    await answer(req, res, status, { hits: { hits, total: hits.length } });
  }

  /** The methods of one grant, found in the list of its family. */
  function grantMethods(find: Find, absent: string) {
    const require = async (req: Request) => {
      const all = await grants.list(host.db, callerOf(req), pathPart(req, "id"));
      const grant = find(req, all);
      if (!grant) throw notFound(absent);
      return { all, grant };
    };
    const change = async (req: Request, res: Response, schema: typeof grantReplacement | typeof grantChange) => {
      const { id } = (await require(req)).grant;
      const { notify: _notify, ...sent } = parse(schema as typeof grantChange, req.body ?? {});
      const recordId = pathPart(req, "id");
      await grants.update(callerOf(req), { id, recordId, ...withoutAbsent(sent) });
      const all = await grants.list(host.db, callerOf(req), recordId);
      const changed = all.find((grant) => grant.id === id);
      await answer(req, res, 200, changed ? await present(req, all, changed) : {});
    };
    return {
      GET: async (req: Request, res: Response) => {
        const { all, grant } = await require(req);
        await answer(req, res, 200, await present(req, all, grant));
      },
      PUT: (req: Request, res: Response) => change(req, res, grantReplacement),
      PATCH: (req: Request, res: Response) => change(req, res, grantChange),
      DELETE: withoutBody(async (req, res) => {
        const { id } = (await require(req)).grant;
        await grants.remove(callerOf(req), { id, recordId: pathPart(req, "id") });
        answerNothing(res);
      }),
    } satisfies Methods;
  }

  resource(router, "/records/:id/access/grants", {
    GET: (req, res) => answerList(req, res, 200, () => true),
    async POST(req, res) {
      const caller = callerOf(req);
      const recordId = pathPart(req, "id");
      await grants.list(host.db, caller, recordId);
      const sent = parse(grantsInput, req.body ?? {});
      const { ids } = await grants.create(caller, { recordId, grants: grantsToMake(host, sent.grants) });
      await answerList(req, res, 201, ({ id }) => ids.includes(id));
    },
  });
  const byPosition: Find = (req, all) =>
    /^\d+$/.test(pathPart(req, "n")) ? all[Number(pathPart(req, "n"))] : undefined;
  resource(router, "/records/:id/access/grants/:n", grantMethods(byPosition, "No grant found with the given ID."));

  for (const { path, type, word } of [
    { path: "users", type: "user", word: "user" },
    { path: "groups", type: "role", word: "group" },
  ]) {
    const bySubject: Find = (req, all) =>
      all.find(({ subject_type, subject_id }) => subject_type === type && subject_id === pathPart(req, "subject"));
    resource(router, `/records/:id/access/${path}`, {
      GET: (req, res) => answerList(req, res, 200, ({ subject_type }) => subject_type === type),
    });
    const { PUT: _put, ...methods } = grantMethods(bySubject, `No grant found by given ${word} id.`);
    resource(router, `/records/:id/access/${path}/:subject`, methods);
  }

  resource(router, "/records/:id/access", {
    server: ["PUT"],
    async PUT(req, res) {
      const caller = callerOf(req);
      const recordId = pathPart(req, "id");
      await grants.list(host.db, caller, recordId);
      await grants.changeSettings(caller, { recordId, settings: parse(accessSettings, req.body ?? {}) });
      await answer(req, res, 200, await bodies.ofAny(host.db, caller, recordId));
    },
  });

  return router;
}
