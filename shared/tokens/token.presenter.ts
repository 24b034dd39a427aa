import type { TokenRow } from "../database/schema.ts";
import { isoTime } from "../kernel/timestamps.ts";

const timeOrNull = (micros: number | null): string | null => (micros === null ? null : isoTime(micros));

/** A token without its secret, which only the answer to its creation contains (requests 2.3). */
export function presentToken(token: TokenRow, baseUrl: string): Record<string, unknown> {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes.split(" "),
    created: isoTime(token.created),
    expires_at: timeOrNull(token.expires_at),
    last_used_at: timeOrNull(token.last_used_at),
    links: { self: `${baseUrl}/api/tokens/${token.id}` },
  };
}
