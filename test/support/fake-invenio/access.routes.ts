import { type Answer, denied, emptyAnswer, type Json, jsonAnswer, noSuchPid, objectOf, Refusal } from "./call.ts";
import { bodyList, familyOf, levelOf, reindex } from "./content.ts";
import type { Context, Route } from "./route.ts";
import type { Family, Grant, SecretLink } from "./state.ts";

function requireManaged(context: Context): Family {
  const { site, params } = context;
  const id = params.id ?? "";
  const content = site.state.drafts.get(id) ?? site.state.records.get(id);
  if (!content) throw noSuchPid();
  const family = familyOf(site, content);
  if (levelOf(context, family) < 3) throw denied();
  return family;
}

const presentLink = ({ site }: Context, link: SecretLink): Json => ({
  ...{ id: link.id, token: link.token, permission: link.permission, description: link.description },
  ...{ created_at: site.clock.iso(link.created), expires_at: link.expires_at, origin: null },
});

function createLink(context: Context): Answer {
  const family = requireManaged(context);
  const { site } = context;
  const { permission, description = "", expires_at = "" } = objectOf(context.json());
  if (!["view", "preview", "edit"].includes(String(permission)))
    throw new Refusal(400, "A validation error occurred.", {
      errors: [{ field: "permission", messages: ["Missing data for required field."] }],
    });
  // An id or a token that was sent is ignored (F18).
  const link: SecretLink = {
    ...{ id: site.newUuid(), token: `eyJ.${site.newUuid()}.${site.newUuid()}`, permission: String(permission) },
    ...{ description: String(description), created: site.clock.now(), expires_at: String(expires_at) },
  };
  family.links.push(link);
  return jsonAnswer(presentLink(context, link), 201);
}

function listLinks(context: Context): Answer {
  const { links } = requireManaged(context);
  return jsonAnswer({ hits: { hits: links.map((link) => presentLink(context, link)), total: links.length } });
}

function requireLink(context: Context): { family: Family; link: SecretLink } {
  const family = requireManaged(context);
  const link = family.links.find(({ id }) => id === context.params.link);
  if (!link) throw new Refusal(404, "No secret link found with the given ID.");
  return { family, link };
}

function updateLink(context: Context): Answer {
  const { link } = requireLink(context);
  const { permission, description, expires_at } = objectOf(context.json());
  if (permission !== undefined) link.permission = String(permission);
  if (description !== undefined) link.description = String(description);
  if (expires_at !== undefined) link.expires_at = String(expires_at);
  return jsonAnswer(presentLink(context, link));
}

function deleteLink(context: Context): Answer {
  const { family, link } = requireLink(context);
  family.links.splice(family.links.indexOf(link), 1);
  return emptyAnswer();
}

const presentGrant = ({ subject, permission }: Grant): Json => ({ subject, permission, origin: null });

function addGrants(context: Context): Answer {
  const family = requireManaged(context);
  const { site } = context;
  const added = bodyList(objectOf(context.json()).grants).map(({ subject, permission }): Grant => {
    const { type, id } = objectOf(subject);
    if (type === "role" && !site.switches.groups) throw new Refusal(400, "Groups are not allowed.");
    return {
      subject: { type: type === "role" ? "role" : "user", id: String(id) },
      permission: String(permission),
      listedAt: site.clock.now() + site.switches.grantLagMs,
    };
  });
  for (const { subject } of added) {
    if (subject.type === "user" && !site.state.people.has(Number(subject.id)))
      throw new Refusal(400, "A validation error occurred.", {
        errors: [{ field: "subject.id", messages: ["Could not find the specified subject."] }],
      });
    if (find(family, subject)) throw new Refusal(400, "Grant for same user or role already exists within this record.");
  }
  family.grants.push(...added);
  retell(context, family);
  return jsonAnswer({ hits: { hits: added.map(presentGrant), total: added.length } }, 201);
}

const find = (family: Family, { type, id }: Grant["subject"]): Grant | undefined =>
  family.grants.find(({ subject }) => subject.type === type && subject.id === id);

function retell({ site }: Context, family: Family): void {
  for (const { id, familyId } of [...site.state.drafts.values(), ...site.state.records.values()])
    if (familyId === family.id) reindex(site, id);
}

function listGrants(context: Context): Answer {
  const { grants } = requireManaged(context);
  return jsonAnswer({ hits: { hits: grants.map(presentGrant), total: grants.length } });
}

/** By place in the list: after a deletion the rest move up (F18). */
function grantByIndex(context: Context): { family: Family; grant: Grant } {
  const family = requireManaged(context);
  const grant = family.grants[Number(context.params.grant)];
  if (!grant) throw new Refusal(404, "No grant found with the given ID.");
  return { family, grant };
}

const readGrant = (context: Context): Answer => jsonAnswer(presentGrant(grantByIndex(context).grant));

function deleteGrant(context: Context): Answer {
  const { family, grant } = grantByIndex(context);
  family.grants.splice(family.grants.indexOf(grant), 1);
  retell(context, family);
  return emptyAnswer();
}

function grantBySubject(context: Context): { family: Family; grant: Grant } {
  const family = requireManaged(context);
  const { kind, subject = "" } = context.params;
  const grant = find(family, { type: kind === "groups" ? "role" : "user", id: subject });
  if (!grant) throw new Refusal(404, "No grant found by given user or role id.");
  return { family, grant };
}

function changeSubject(context: Context): Answer {
  const { grant } = grantBySubject(context);
  grant.permission = String(objectOf(context.json()).permission ?? grant.permission);
  return jsonAnswer(presentGrant(grant));
}

function deleteSubject(context: Context): Answer {
  const { family, grant } = grantBySubject(context);
  family.grants.splice(family.grants.indexOf(grant), 1);
  retell(context, family);
  return emptyAnswer();
}

function listSubjects(context: Context): Answer {
  const type = context.params.kind === "groups" ? "role" : "user";
  const found = requireManaged(context).grants.filter(({ subject }) => subject.type === type);
  return jsonAnswer({ hits: { hits: found.map(presentGrant), total: found.length } });
}

const at = "/api/records/:id/access";
const kinds = (path: (kind: string) => Route[]): Route[] => ["users", "groups"].flatMap(path);
const withKind = (kind: string, run: (context: Context) => Answer) => (context: Context) =>
  run({ ...context, params: { ...context.params, kind } });

export const accessRoutes: readonly Route[] = [
  { method: "POST", path: `${at}/links`, run: createLink },
  { method: "GET", path: `${at}/links`, run: listLinks },
  {
    method: "GET",
    path: `${at}/links/:link`,
    run: (context) => jsonAnswer(presentLink(context, requireLink(context).link)),
  },
  { method: "PATCH", path: `${at}/links/:link`, run: updateLink },
  { method: "DELETE", path: `${at}/links/:link`, run: deleteLink },
  { method: "POST", path: `${at}/grants`, run: addGrants },
  { method: "GET", path: `${at}/grants`, run: listGrants },
  { method: "GET", path: `${at}/grants/:grant`, run: readGrant },
  { method: "DELETE", path: `${at}/grants/:grant`, run: deleteGrant },
  ...kinds((kind) => [
    { method: "GET", path: `${at}/${kind}`, run: withKind(kind, listSubjects) },
    {
      method: "GET",
      path: `${at}/${kind}/:subject`,
      run: withKind(kind, (context) => jsonAnswer(presentGrant(grantBySubject(context).grant))),
    },
    { method: "PATCH", path: `${at}/${kind}/:subject`, run: withKind(kind, changeSubject) },
    { method: "DELETE", path: `${at}/${kind}/:subject`, run: withKind(kind, deleteSubject) },
  ]),
];
