import type { Request, Response, Router } from "express";
import { answer, answerNothing } from "../kernel/answer.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout, withoutBody } from "../kernel/resource.ts";
import { requireSignedIn } from "../sign-in/unauthenticated.ts";
import { presentIdentity } from "./identity.presenter.ts";
import type { Identities } from "./identity.service.ts";

export interface IdentityRouteParts {
  host: Host;
  identities: Identities;
}

/** `/api/user/identities`: the caller's accounts at identity providers (web 9). They are added by `/sign-in/{id}`. */
export function identityRoutes({ host, identities }: IdentityRouteParts): Router {
  const router = routesAbout("library");

  async function list(req: Request, res: Response): Promise<void> {
    const { providers } = host.settings.sign_in;
    const found = await identities.list(requireSignedIn(callerOf(req)));
    const hits = found.map(({ row, id, mayRemove }) =>
      presentIdentity(row, { providers, baseUrl: host.baseUrl, id, mayRemove }),
    );
    await answer(req, res, 200, { hits: { hits, total: hits.length } });
  }

  async function remove(req: Request, res: Response): Promise<void> {
    await identities.remove(callerOf(req), pathPart(req, "id"));
    answerNothing(res);
  }

  resource(router, "/user/identities", { server: ["GET"], GET: list });
  resource(router, "/user/identities/:id", {
    server: ["DELETE"],
    DELETE: withoutBody({ handle: remove, scope: "tokens" }),
  });
  return router;
}
