import type { Bundle } from "../../../shared/bundles/bundle.schema.ts";
import { Failure } from "../../../shared/kernel/failure.ts";
import { isObject } from "../../../shared/kernel/json.ts";
import { ServerUnreachable } from "../../sync/address.ts";
import { readAnswer, Unreachable } from "../../sync/transport.ts";
import type { Welcome } from "../../sync/upstream.ts";
import { emptyBudget } from "./budget.policy.ts";
import { realMachine } from "./machine.ts";
import { theirId } from "./read/their-record.ts";
import { RestLine } from "./rest-line.ts";
import { offersOf, siteName } from "./site-kind.policy.ts";

/** The user waits. */
const userCall = { urgency: "user" } as const;

const invalid = (message: string): Failure => new Failure("invalid", message);

/** The user's own card. */
export function cardOf(id: string, { email, username, full_name }: Record<string, unknown>): Bundle {
  const text = (value: unknown, otherwise = ""): string =>
    typeof value === "string" && value !== "" ? value : otherwise;
  const user = {
    id,
    username: text(username, text(email, `user-${id}`)),
    email: text(email),
    full_name: text(full_name),
    affiliations: "",
    active: 1,
    confirmed: 1,
    visibility: "public",
    email_visibility: "restricted",
    preferences: "{}",
    created: 0,
    updated: 0,
    revision_id: 1,
  };
  return { kind: "user", id, rows: { user: [user], membership: [] }, people: [] };
}

/** How many owners of listed objects are asked about. */
const maxOwners = 5;

/** The owners of the objects that a token lists. Others may share theirs with its user. */
async function listOwners(line: RestLine): Promise<string[]> {
  const own = await line.read("/api/user/records?size=25", userCall);
  if (own.status !== 200) throw invalid("The server was reached, but it does not accept this token.");
  const hits = ((own.body as { hits?: { hits?: unknown[] } }).hits?.hits ?? []) as Record<string, unknown>[];
  const owners = hits.flatMap((hit) => {
    const parent = hit.parent as { access?: { owned_by?: { user?: unknown } } } | undefined;
    const id = theirId.safeParse(parent?.access?.owned_by?.user);
    return id.success ? [id.data] : [];
  });
  return [...new Set(owners)].slice(0, maxOwners);
}

/** The user of the token, from `/api/me`, or from the one owner who the server says is the caller. */
async function findUser(line: RestLine): Promise<Record<string, unknown> & { id: string }> {
  const me = await line.read("/api/me", userCall);
  if (me.status === 401) throw invalid("The server was reached, but it does not accept this token.");
  if (me.status === 200 && isObject(me.body)) {
    const id = theirId.safeParse(me.body.id);
    if (!id.success) throw invalid("The server was reached, but it does not say whose token this is.");
    return { ...me.body, id: id.data };
  }
  for (const id of await listOwners(line)) {
    const { status, body } = await line.read(`/api/users/${id}`, userCall);
    if (status === 200 && isObject(body) && body.is_current_user === true) return { id };
  }
  throw invalid(
    "The server does not say whose token this is. Create a first draft on its web site, then connect again.",
  );
}

/** Largest answer that is read to recognise a site. */
const maxFirstBytes = 8 * 1024 * 1024;

/** Whether the plain form of the first record of a list is the old one of Zenodo. */
async function isOldForm(line: RestLine, path: string): Promise<boolean> {
  const answer = await line.open(path, { accept: "application/json" });
  try {
    const [first] = JSON.parse((await readAnswer(answer, maxFirstBytes)).toString()).hits.hits;
    return first !== undefined && "conceptrecid" in first;
  } catch {
    return false;
  }
}

const isZenodo = async (line: RestLine): Promise<boolean> =>
  (await isOldForm(line, "/api/records?size=1")) || (await isOldForm(line, "/api/user/records?size=1"));

/** Checks an InvenioRDM and a token before they are stored. @throws Failure 400 that says what is wrong. */
export async function welcomeByInvenio(server: string, token: string): Promise<Welcome> {
  const now = Date.now();
  const line = new RestLine({
    account: { server, token },
    name: "The server",
    limits: { budget: emptyBudget },
    nowMs: Date.now,
    send: realMachine.send,
  });
  try {
    const me = await findUser(line);
    const profile = await line.read(`/api/users/${me.id}`, userCall);
    const { username, profile: about } = (profile.status === 200 ? profile.body : {}) as Record<string, unknown>;
    const card = cardOf(me.id, { ...me, username, ...(isObject(about) ? { full_name: about.full_name } : {}) });
    const kind = (await isZenodo(line)) || /(^|\.)zenodo\.org$/.test(new URL(server).hostname) ? "zenodo" : "invenio";
    const user = { id: me.id, username: String(card.rows.user?.[0]?.username) };
    const upstream = { kind, name: siteName(server, kind), offers: offersOf(kind), checked: now * 1000 } as const;
    return { account: { server, token, user, upstream }, library: `${server}#${me.id}`, baseUrl: server, card };
  } catch (error) {
    if (error instanceof Unreachable) throw new ServerUnreachable(error.message);
    if (error instanceof Failure && error.kind === "unauthorized")
      throw invalid("The server was reached, but it does not accept this token.");
    throw error;
  }
}
