import type { TheirRequest } from "./read/their-request.ts";
import type { Site } from "./site.ts";

const known = new WeakMap<Site, Map<string, string>>();

function titleIn(body: unknown): string | undefined {
  const { metadata } = (body ?? {}) as { metadata?: { title?: unknown } };
  return typeof metadata?.title === "string" ? metadata.title : undefined;
}

/** The title of the community that a request goes to: as the answer has it, or by a call for each community once. */
export async function communityTitle(site: Site, theirs: TheirRequest): Promise<string | undefined> {
  const { community } = theirs.receiver;
  if (community === undefined) return undefined;
  const titles = known.get(site) ?? new Map<string, string>();
  known.set(site, titles);
  const title = titleIn(theirs.expanded?.receiver) ?? titles.get(community);
  if (title !== undefined) return title;
  const answer = await site.line.read(`/api/communities/${encodeURIComponent(community)}`, { urgency: "poll" });
  // A community may be hidden from this user.
  const found = answer.status === 200 ? titleIn(answer.body) : undefined;
  titles.set(community, found ?? community);
  return found;
}
