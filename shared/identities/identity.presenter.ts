import type { IdentityRow } from "../database/schema.ts";
import { isoTime } from "../kernel/timestamps.ts";
import type { SignInProvider } from "../sign-in/sign-in-settings.schema.ts";
import { providerOf } from "./identity.policy.ts";

export interface IdentityView {
  providers: readonly SignInProvider[];
  baseUrl: string;
  id: string;
  mayRemove: boolean;
}

/** A linked account as its user sees it. */
export function presentIdentity(row: IdentityRow, view: IdentityView): Record<string, unknown> {
  const { id } = view;
  const provider = providerOf(view.providers, row);
  return {
    id,
    issuer: row.issuer,
    subject: row.subject,
    label: row.label,
    provider: provider ? { id: provider.id, label: provider.label, kind: provider.kind } : null,
    created: isoTime(row.created),
    last_used_at: isoTime(row.used),
    may_remove: view.mayRemove,
    links: { self: `${view.baseUrl}/api/user/identities/${id}` },
  };
}
