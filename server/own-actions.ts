import type { Request, Response, Router } from "express";
import type { Services } from "../shared/api.ts";
import { invalidField } from "../shared/kernel/failure.ts";
import type { Host } from "../shared/kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout } from "../shared/kernel/resource.ts";
import { fieldsOf, form, leadTo } from "./accounts/form-pages.ts";
import { onWayTo } from "./accounts/next-page.ts";
import { answerWithRefusals } from "./pages/record-pages.ts";

interface Parts {
  host: Host;
  services: Pick<Services, "editing" | "records" | "versions">;
}

/** What users start from the page of their record; they go on in the app (design, web 4: Record, signed in). */
export function ownActions({ host, services }: Parts): Router {
  const router = routesAbout("record");

  async function start(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const id = pathPart(req, "id");
    // The session has ended since the page was opened.
    if (caller.userId === null) return leadTo(res, onWayTo(`/records/${encodeURIComponent(id)}`, "/sign-in"));
    const starts: Record<string, () => Promise<{ id: string }>> = {
      edit: () => services.editing.start(caller, { id }),
      "new-version": async () => services.versions.start(caller, { id: await host.takeRecordId(), recordId: id }),
    };
    const { action = "" } = fieldsOf(req);
    const chosen = Object.hasOwn(starts, action) ? starts[action] : undefined;
    if (!chosen) throw invalidField("action", `Must be one of: ${Object.keys(starts).join(", ")}.`);
    // Deleted since the page was opened: that says more than that its owner may not edit it.
    await services.records.require(host.db, caller, id);
    const draft = await chosen();
    leadTo(res, `/uploads/${encodeURIComponent(draft.id)}`);
  }

  resource(router, "/records/:id/own", {
    isForm: true,
    POST: form((req, res) => answerWithRefusals(host, req, res, () => start(req, res))),
  });
  return router;
}
