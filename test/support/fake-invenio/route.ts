import { type Answer, type Call, jsonOf, Refusal } from "./call.ts";
import type { SiteClock } from "./clock.ts";
import type { IndexQueue } from "./index-queue.ts";
import type { Profile } from "./profile.ts";
import type { Person, State } from "./state.ts";
import type { Switches } from "./switches.ts";

/** The site as handlers see it. */
export interface Site {
  readonly url: string;
  readonly profile: Profile;
  readonly clock: SiteClock;
  readonly switches: Switches;
  readonly state: State;
  readonly index: IndexQueue;
  newId(): string;
  newUuid(): string;
}

/** A call with everything a handler needs. */
export interface Context {
  site: Site;
  call: Call;
  params: Record<string, string>;
  query: URLSearchParams;
  /** Undefined for a guest, also one with a dead token (F14). */
  person: Person | undefined;
  json: () => unknown;
  /** Another call writes the same draft or request at this moment (F24). */
  overlaps: boolean;
}

export interface Route {
  method: string;
  /** Parts that begin with `:` take one part, with `*` all the rest up to the next fixed part. */
  path: string;
  run: (context: Context) => Answer;
  /** Media types the route can answer with; the first is the default. */
  accepts?: readonly string[];
}

export const vendor = "application/vnd.inveniordm.v1+json";
export const plain = "application/json";

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const known = patterns.get(path);
  if (known) return known;
  const source = path.replace(
    /[:*](\w+)/g,
    (part, name: string) => `(?<${name}>${part.startsWith("*") ? ".+" : "[^/]+"})`,
  );
  const pattern = new RegExp(`^${source}$`);
  patterns.set(path, pattern);
  return pattern;
}

export const matches = (route: Route, path: string): Record<string, string> | undefined => {
  const found = patternOf(route.path).exec(path);
  if (!found) return undefined;
  return Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, part]) => [name, decodeURIComponent(part)]));
};

/** `If-Match` as they read it: a bare integer, or 400 (F1). */
export function ifMatch({ call }: Context): number | undefined {
  const sent = call.headers["if-match"];
  if (sent === undefined) return undefined;
  if (!/^\s*-?\d+\s*$/.test(sent))
    throw new Refusal(400, "A validation error occurred.", {
      errors: [{ field: "if_match", messages: ["Not a valid integer."] }],
    });
  return Number(sent);
}

export function checkRevision(context: Context, revision: number): void {
  const wanted = ifMatch(context);
  if (wanted !== undefined && wanted !== revision)
    throw new Refusal(412, `Expected revision id ${wanted} does not match current revision id ${revision}.`);
}

/** The JSON body; a body of another type is refused as they do. */
export function bodyOf(call: Call): unknown {
  const type = (call.headers["content-type"] ?? plain).split(";")[0]?.trim();
  if (call.body.length > 0 && type !== plain)
    throw new Refusal(415, `The request's content type must be one of: ${plain}`);
  return jsonOf(call.body);
}

/** Which of the route's types the caller accepts. @throws Refusal 406 */
export function negotiated(accept: string | undefined, offered: readonly string[]): string {
  const first = offered[0] ?? plain;
  if (accept === undefined || accept.trim() === "") return first;
  const wanted = accept
    .split(",")
    .map((part) => {
      const [type = "", ...parameters] = part.trim().split(";");
      const quality = parameters.map((each) => /^\s*q=([\d.]+)/.exec(each)?.[1]).find(Boolean);
      return { type: type.trim(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .sort((a, b) => b.quality - a.quality);
  for (const { type } of wanted) {
    if (type === "*/*" || type === "application/*") return first;
    if (offered.includes(type)) return type;
  }
  throw new Refusal(406, "The client must accept one of the supported media types.");
}
