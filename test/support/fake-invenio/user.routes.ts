import { type Answer, denied, jsonAnswer, noSuchPid, notFound, Refusal } from "./call.ts";
import type { Context, Route } from "./route.ts";
import { pageOf } from "./search.ts";
import type { Person } from "./state.ts";

function me({ site, person }: Context): Answer {
  if (!site.switches.me) throw notFound();
  // The one place where a dead token is 401 (F14).
  if (!person)
    throw new Refusal(
      401,
      "The server could not verify that you are authorized to access the URL requested. You either supplied the wrong credentials (e.g. a bad password), or your browser doesn't understand how to supply the credentials required.",
    );
  const stamp = site.clock.iso(0);
  return jsonAnswer({
    ...{ id: person.id, email: person.email, confirmed_at: stamp, last_login_at: null, roles: [] },
  });
}

const presentUser = ({ site, person: caller }: Context, person: Person) => ({
  id: String(person.id),
  is_current_user: person.id === caller?.id,
  username: person.name,
  profile: { full_name: person.name, affiliations: "" },
  identities: {},
  links: { self: `${site.url}/api/users/${person.id}`, avatar: `${site.url}/api/users/${person.id}/avatar.svg` },
});

function user(context: Context): Answer {
  const found = context.site.state.people.get(Number(context.params.id));
  if (!found) throw noSuchPid();
  return jsonAnswer(presentUser(context, found));
}

function users(context: Context): Answer {
  if (!context.person) throw denied();
  const words = (context.query.get("suggest") ?? context.query.get("q") ?? "").toLowerCase();
  const found = [...context.site.state.people.values()].filter(({ name, email }) => `${name} ${email}`.includes(words));
  const { hits, body } = pageOf(context, found, "bestmatch");
  return jsonAnswer({ ...body, hits: { hits: hits.map((each) => presentUser(context, each)), total: found.length } });
}

export const userRoutes: readonly Route[] = [
  { method: "GET", path: "/api/me", run: me },
  { method: "GET", path: "/api/users", run: users },
  { method: "GET", path: "/api/users/:id", run: user },
];
