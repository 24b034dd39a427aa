import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { findRoutes } from "../support/routes.ts";

/** Calls that are refused offline and never queued (hosts-and-sync 3), and answers that only the server has. */
const serverOnly = [
  "DELETE /administration/mail/:id",
  "DELETE /collections/:slug",
  "DELETE /groups/:id",
  "DELETE /invitations/:id",
  "DELETE /me/picture",
  "DELETE /records/:id/delete",
  "DELETE /records/:id/draft/pids/doi",
  "DELETE /requests/:id",
  "DELETE /tokens/:id",
  "DELETE /tokens/current",
  "DELETE /user/identities/:id",
  "DELETE /user/sessions/:id",
  "DELETE /users/:id/groups",
  "GET /administration/backups",
  "GET /administration/dois",
  "GET /administration/mail",
  "GET /administration/overview",
  "GET /administration/people",
  "GET /administration/people/:id",
  "GET /administration/removed-records",
  "GET /audit-logs",
  "GET /audit-logs/:id",
  "GET /collections",
  "GET /collections/:slug",
  "GET /invitations",
  "GET /lookup",
  "GET /lookup/:kind",
  "GET /requests/:id/reviewers",
  "GET /tokens",
  "GET /tokens/:id",
  "GET /user/identities",
  "GET /user/second-factor",
  "GET /user/sessions",
  "GET /user/storage",
  "GET /users/:id/groups",
  "POST /administration/backups",
  "POST /administration/dois/:id/actions/retry",
  "POST /administration/dois/actions/retry",
  "POST /administration/mail/:id/actions/retry",
  "POST /administration/mail/actions/retry",
  "POST /administration/people/:id/actions/activate",
  "POST /administration/people/:id/actions/deactivate",
  "POST /administration/people/:id/actions/reset-password",
  "POST /administration/people/:id/actions/reset-second-factor",
  "POST /change-password",
  "POST /collections",
  "POST /groups",
  "POST /invitations",
  "POST /invitations/:id/actions/resend",
  "POST /login",
  "POST /logout",
  "POST /records/:id/access/request",
  "POST /records/:id/draft/pids/doi",
  "POST /records/:id/request-deletion",
  "POST /records/:id/requests",
  "POST /records/:id/restore",
  "POST /requests/:id/lock",
  "POST /requests/:id/unlock",
  "POST /stats",
  "POST /tokens",
  "POST /user/second-factor",
  "POST /user/second-factor/actions/confirm",
  "POST /user/second-factor/actions/remove",
  "POST /user/second-factor/actions/renew-codes",
  "POST /users/:id/groups",
  "PUT /administration/backups/schedule",
  "PUT /administration/people/:id/quota",
  "PUT /collections/:slug",
  "PUT /groups/:id",
  "PUT /me",
  "PUT /me/picture",
  "PUT /records/:id/access",
  "PUT /requests/:id",
  "PUT /users/:id/groups",
];

const searches = [
  "/affiliations",
  "/awards",
  "/funders",
  "/groups",
  "/names",
  "/records",
  "/records/:id/requests",
  "/requests",
  "/subjects",
  "/user/records",
  "/user/requests",
  "/users",
  "/vocabularies/:type",
];

/** Routes that are not about one object of the repository. */
const general: unknown[] = ["library", "sync", "host"];

describe("each route states its facts beside its methods (architecture: a request)", () => {
  let api: Api;
  let routes: ReturnType<typeof findRoutes>;
  beforeAll(async () => {
    api = await startApi();
    routes = findRoutes(api);
  });
  afterAll(() => api.close());

  test("no route stands without facts, and what is about an object names it", () => {
    expect(routes.filter(({ facts }) => facts === undefined)).toEqual([]);
    const isVague = ({ path, facts }: (typeof routes)[number]) =>
      typeof facts?.about === "string" && !general.includes(facts.about) && !path.includes("/:id");
    expect(routes.filter(isVague)).toEqual([]);
  });

  test("what only the server decides is passed on: these methods, and no others (hosts-and-sync 3)", () => {
    const found = routes.flatMap(({ path, facts }) => (facts?.server ?? []).map((verb) => `${verb} ${path}`));
    expect(found.sort()).toEqual(serverOnly);
    const offered = routes.flatMap(({ path, verbs = [] }) => verbs.map((verb) => `${verb} ${path}`));
    expect(found.filter((route) => !offered.includes(route))).toEqual([]);
  });

  test("these searches say what they cover (hosts-and-sync 3)", () => {
    const found = routes.filter(({ facts }) => facts?.isSearch).map(({ path }) => path);
    expect(found.sort()).toEqual(searches);
  });
});
