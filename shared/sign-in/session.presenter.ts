import type { SessionRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { isoTime } from "../kernel/timestamps.ts";

/** The public id of a session: the start of its digest, which opens nothing. */
export const sessionIdOf = ({ digest }: Pick<SessionRow, "digest">): string => digest.slice(0, 22);

const browsers: [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(?:A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];
const systems: [name: string, pattern: RegExp][] = [
  ["iOS", /iPhone|iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X|Macintosh/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
];

const nameIn = (list: [string, RegExp][], text: string): string | null =>
  list.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** A session as its user sees it. Browser and system are guessed from what the browser calls itself. */
export function presentSession(session: SessionRow, caller: Caller, baseUrl: string): Record<string, unknown> {
  const id = sessionIdOf(session);
  return {
    id,
    browser: nameIn(browsers, session.user_agent),
    system: nameIn(systems, session.user_agent),
    user_agent: session.user_agent,
    address: session.address,
    created: isoTime(session.created),
    last_used_at: isoTime(session.last_used),
    expires_at: isoTime(session.expires_at),
    is_current: caller.sessionId === session.digest,
    links: { self: `${baseUrl}/api/user/sessions/${id}` },
  };
}
