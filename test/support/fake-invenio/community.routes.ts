import { type Answer, denied, invalid, type Json, jsonAnswer, noSuchPid, objectOf, serverError } from "./call.ts";
import { type Context, plain, type Route, type Site, vendor } from "./route.ts";
import { pageOf } from "./search.ts";
import type { Community } from "./state.ts";

const presentCommunity = (site: Site, community: Community): Json => ({
  id: community.id,
  created: site.clock.iso(community.created),
  updated: site.clock.iso(community.created),
  links: {
    self: `${site.url}/api/communities/${community.id}`,
    self_html: `${site.url}/communities/${community.slug}/`,
  },
  revision_id: 2,
  slug: community.slug,
  metadata: { title: community.title },
  access: {
    ...{ visibility: "public", members_visibility: "public", member_policy: "closed" },
    ...{ record_submission_policy: "open", review_policy: community.policy },
  },
  custom_fields: {},
  deletion_status: { is_deleted: false, status: "P" },
  children: { allow: false },
});

export const findCommunity = (site: Site, id: string): Community | undefined =>
  site.state.communities.get(id) ?? [...site.state.communities.values()].find(({ slug }) => slug === id);

function create(context: Context): Answer {
  const { site, person } = context;
  if (!person) throw denied();
  const { slug, metadata, access } = objectOf(context.json());
  if (typeof slug !== "string" || findCommunity(site, slug))
    throw invalid([{ field: "slug", messages: ["A community with this identifier already exists."] }]);
  // Theirs breaks on it, and says no more.
  if (objectOf(access).visibility === undefined) throw serverError();
  const community: Community = {
    ...{ id: site.newUuid(), slug, title: String(objectOf(metadata).title), owner: person.id },
    ...{
      members: new Set([person.id]),
      policy: String(objectOf(access).review_policy ?? "closed"),
      created: site.clock.now(),
    },
  };
  site.state.communities.set(community.id, community);
  return jsonAnswer(presentCommunity(site, community), 201);
}

function read({ site, params }: Context): Answer {
  const community = findCommunity(site, params.id ?? "");
  if (!community) throw noSuchPid();
  return jsonAnswer(presentCommunity(site, community));
}

function list(context: Context, own: boolean): Answer {
  const { site, person, query } = context;
  if (own && !person) throw denied();
  const words = (query.get("q") ?? "").toLowerCase();
  const found = [...site.state.communities.values()].filter(
    ({ members, title, slug }) =>
      (!own || (person && members.has(person.id))) && `${title} ${slug}`.toLowerCase().includes(words),
  );
  const { hits, body } = pageOf(context, found, "newest");
  return jsonAnswer({ ...body, hits: { hits: hits.map((each) => presentCommunity(site, each)), total: found.length } });
}

const accepts = [plain, vendor];
export const communityRoutes: readonly Route[] = [
  { method: "POST", path: "/api/communities", accepts, run: create },
  { method: "GET", path: "/api/communities", accepts, run: (context) => list(context, false) },
  { method: "GET", path: "/api/user/communities", accepts, run: (context) => list(context, true) },
  { method: "GET", path: "/api/communities/:id", accepts, run: read },
];
