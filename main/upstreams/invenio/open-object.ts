import type { Bundle } from "../../../shared/bundles/bundle.schema.ts";
import { Failure, notFound, unknownPid } from "../../../shared/kernel/failure.ts";
import { isObject } from "../../../shared/kernel/json.ts";
import { refreshRequest } from "./conversations.ts";
import { theirId } from "./read/their-record.ts";
import { refusedRead } from "./rest-line.ts";
import { findShadow } from "./shadow.repository.ts";
import type { Site } from "./site.ts";
import { cardOf } from "./welcome.ts";

async function openUser(site: Site, id: string): Promise<Bundle> {
  const answer = await site.line.read(`/api/users/${id}`, { urgency: "user" });
  if (answer.status !== 200 || !isObject(answer.body)) throw refusedRead(answer);
  const { username, profile } = answer.body;
  return cardOf(id, { username, ...(isObject(profile) ? { full_name: profile.full_name } : {}) });
}

/** @throws the refusal, unless the other part of the object is there. */
async function openRecord(site: Site, id: string): Promise<Bundle> {
  const options = { urgency: "user" } as const;
  const record = await site.lookAtRecord(id, options);
  if (record) await site.keepRecord(record);
  // A new draft has no record. If there is a record, its draft is not read: it may be another user's.
  const draft = record ? undefined : await site.lookAtDraft(id, options);
  if (draft) await site.keepDraft(draft, await site.filesOfDraft(id, options));
  const shadow = await site.shadowOf(id);
  if (!shadow || (!record && !draft)) throw unknownPid();
  return shadow.bundle;
}

async function openRequest(site: Site, id: string): Promise<Bundle> {
  await refreshRequest(site, id, { urgency: "user" });
  const shadow = await findShadow(site.db, { kind: "request", id });
  if (!shadow) throw notFound();
  return shadow.bundle;
}

/** An object that was never here. @throws Failure the server's refusal. */
export function openObject(site: Site, kind: string, id: string): Promise<Bundle> {
  if (!theirId.safeParse(id).success) throw unknownPid();
  if (kind === "record") return openRecord(site, id);
  if (kind === "user") return openUser(site, id);
  if (kind === "request") return openRequest(site, id);
  throw new Failure("unavailable", `${site.options.name} does not show this to Carrel.`);
}
