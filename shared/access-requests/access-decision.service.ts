import type { AccessLinkService } from "../access/access-link.service.ts";
import type { GrantService } from "../access/grant.service.ts";
import type { Tx } from "../database/open.ts";
import type { AccessRequestRow, RequestRow } from "../database/schema.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { dayOf } from "../kernel/timestamps.ts";
import { findLatestRecord } from "../records/record.reader.ts";
import { findAccessRequest } from "./access-request.reader.ts";

const microsPerDay = 86_400 * 1_000_000;

export interface AccessDecisions {
  /**
   * Gives the access that an accepted request asks for; does nothing for reviews.
   * @throws Failure 400 when all versions of the record are deleted.
   */
  accept(tx: Tx, request: RequestRow, now: number): Promise<void>;
}

interface Parts {
  host: Pick<Host, "newToken">;
  grants: Pick<GrantService, "give">;
  links: Pick<AccessLinkService, "make">;
}

/** What follows from accepting a request for access: a user gets a grant, a guest a link (interoperability 14). */
export function accessDecisions({ host, grants, links }: Parts): AccessDecisions {
  const linkFor = (request: RequestRow, asked: AccessRequestRow, now: number) => ({
    // The link has the id of its request, so that the guest's mail and page find it.
    id: request.id,
    parent_id: request.topic_parent_id,
    token: host.newToken(),
    permission: "view",
    description: `Requested by guest: ${asked.full_name} (${asked.email})`,
    created_at: now,
    expires_at: asked.link_days > 0 ? dayOf(now + asked.link_days * microsPerDay) : null,
  });

  return {
    async accept(tx, request, now) {
      const accessRequest = await findAccessRequest(tx, request.id);
      if (!accessRequest) return;
      if (!(await findLatestRecord(tx, request.topic_parent_id))) {
        throw new Failure("invalid", "The record was deleted: nobody can get access to it.");
      }
      if (accessRequest.type === "guest-access-request") await links.make(tx, linkFor(request, accessRequest, now));
      if (accessRequest.type !== "user-access-request") return;
      const origin = `request:${request.id}`;
      const subject = { parent_id: request.topic_parent_id, subject_type: "user", subject_id: request.creator_id };
      await grants.give(tx, { id: request.id, ...subject, permission: "view", origin, message: null, created: now });
    },
  };
}
