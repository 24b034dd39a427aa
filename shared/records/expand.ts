import type { Request } from "express";
import type { Host } from "../kernel/host.ts";
import { callerOf } from "../kernel/resource.ts";
import type { RequestService } from "../requests/request.service.ts";
import type { UserService } from "../users/user.service.ts";
import type { RecordBody } from "./record.presenter.ts";

/** Adds the users that bodies refer to, when the call has `expand=1`. */
export interface RecordExpander {
  /**
   * `expanded.parent` with `access.owned_by` and the receiver of a review, as the caller may see them (records 1.3). The
   * owner has `active: false` if the account is closed: nobody decides on requests for access (interoperability 14).
   */
  one(req: Request, body: RecordBody): Promise<RecordBody>;
}

interface NamedPeople {
  access: { owned_by: { user: string } };
  review?: { receiver: { user: string } };
}

const yes = new Set(["true", "True", "TRUE", "t", "1", "yes", "y", "on"]);

/** `expand=1` for records, drafts and their lists. Any other value expands nothing and is no error. */
export function recordExpander(parts: {
  host: Host;
  requests: Pick<RequestService, "expandUser">;
  users: Pick<UserService, "find">;
}): RecordExpander {
  const { host, requests, users } = parts;

  async function expanded(req: Request, body: RecordBody): Promise<RecordBody> {
    const caller = callerOf(req);
    const { access, review } = body.parent as NamedPeople;
    const owner = await requests.expandUser(host.db, caller, access.owned_by.user);
    const receiver = review && (await requests.expandUser(host.db, caller, review.receiver.user));
    const isClosed = (await users.find(host.db, access.owned_by.user))?.active === 0;
    const owned_by = { ...owner, ...(isClosed ? { active: false } : {}) };
    const parent = { access: { owned_by }, ...(receiver ? { review: { receiver } } : {}) };
    return { ...body, expanded: { parent } };
  }

  const isExpandRequested = ({ query: { expand } }: Request): boolean =>
    yes.has(String(Array.isArray(expand) ? expand[0] : expand));

  return { one: async (req, body) => (isExpandRequested(req) ? expanded(req, body) : body) };
}
