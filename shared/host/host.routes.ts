import { answer } from "../kernel/answer.ts";
import { type ApiRouter, resource, routesAbout } from "../kernel/resource.ts";
import { type HostFacts, presentHost } from "./host.presenter.ts";

/** `GET /host`: what this host is and offers. Open, because the app asks before anybody signs in. */
export function hostRoutes(facts: () => HostFacts): ApiRouter {
  const router = routesAbout("host");
  resource(router, "/host", {
    GET: { isOpen: true, handle: (req, res) => answer(req, res, 200, presentHost(facts())) },
  });
  return router;
}
