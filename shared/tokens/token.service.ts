import { type Db, type Tx, transaction } from "../database/open.ts";
import type { TokenRow } from "../database/schema.ts";
import { type Caller, isSuperuser, type Scope, system } from "../kernel/caller.ts";
import { Failure, invalid, notFound, type Problem } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { isoTime } from "../kernel/timestamps.ts";
import type { WithGroups } from "../users/joined-groups.ts";
import {
  findToken,
  findTokenByDigest,
  insertToken,
  listLiveTokens,
  revokeTokensByPassword,
  updateToken,
} from "./token.repository.ts";
import { newToken, scopeNames } from "./token.schema.ts";
import { digestOf, isSameDigest, mintSecret } from "./token-secret.ts";

/** The user a token is issued for, and how they authenticated. */
export interface TokenGrant {
  userId: string;
  byPassword: boolean;
  /** Scopes of the bearer token that makes the request: a new token cannot have more. Absent: no limit. */
  bound?: ReadonlySet<Scope>;
  /** The scopes when the request names none. */
  defaultScopes: readonly Scope[];
  /** Called in the transaction that inserts the token. @throws Failure when the authentication is no longer valid. */
  assertCurrent?(tx: Db): Promise<void>;
}

/** A token with its secret. */
export interface IssuedToken {
  row: TokenRow;
  secret: string;
}

export interface TokenService {
  /**
   * @param caller for the audit log; the console when absent.
   * @throws Failure 400 with `name`, `scopes`, `expires_at`; 403 `insufficient_scope`.
   */
  issue(grant: TokenGrant, body: unknown, caller?: Caller): Promise<IssuedToken>;
  /** The live token of a secret, if its user is active, and the user's groups. */
  verify(db: Db, secret: string): Promise<WithGroups<TokenRow> | undefined>;
  /** Newest first; without revoked and expired tokens. */
  list(db: Db, userId: string): Promise<TokenRow[]>;
  /** @throws Failure 404, also for another user's token. */
  require(db: Db, caller: Caller, id: string): Promise<TokenRow>;
  /** Revokes the caller's own token; a superuser may revoke any. @throws Failure 404. */
  revoke(caller: Caller, id: string): Promise<void>;
  /** For the command line. @throws Failure 404. */
  revokeById(id: string): Promise<void>;
  revokeByPassword(tx: Tx, userId: string, keptId: string | undefined, now: number): Promise<void>;
}

/** Maximum number of live tokens of one user. */
const maxTokens = 1000;

const tooManyTokens = (): Failure =>
  new Failure("invalid", `There are ${maxTokens} tokens already. Revoke those that are no longer used.`);

const microsPerMinute = 60_000_000;

/** 403 for a bearer token without a scope (requests 2.1). */
function insufficientScope(scope: string): Failure {
  const description = `The token lacks the scope '${scope}'.`;
  return new Failure("forbidden", description, {
    headers: { "WWW-Authenticate": `Bearer realm="api", error="insufficient_scope", scope="${scope}"` },
    extra: { error: "insufficient_scope", error_description: description },
  });
}

function scopesFrom(named: readonly string[] | undefined, grant: TokenGrant): Scope[] {
  const scopes = scopeNames.filter((scope) => (named ?? grant.defaultScopes).includes(scope));
  const { bound } = grant;
  const lacking = bound && scopes.find((s) => !bound.has(s) && !(s === "read" && bound.has("write")));
  if (lacking !== undefined) throw insufficientScope(lacking);
  return scopes;
}

function isLive(token: TokenRow | undefined, now: number): token is TokenRow {
  return token !== undefined && token.revoked_at === null && (token.expires_at === null || token.expires_at > now);
}

/** Revokes a token and writes the audit entry in one transaction. */
const revokeRow = (host: Host, caller: Caller, { id, user_id }: TokenRow): Promise<void> =>
  transaction(host.db, async (tx) => {
    await updateToken(tx, id, { revoked_at: host.now() });
    await host.audit(tx, caller, { action: "token.revoke", object: { type: "token", id }, details: { user: user_id } });
  });

/** Inserts a token and writes the audit entry in one transaction. */
const insertRow = (host: Host, caller: Caller, { assertCurrent }: TokenGrant, row: TokenRow): Promise<void> =>
  transaction(host.db, async (tx) => {
    await assertCurrent?.(tx);
    if ((await listLiveTokens(tx, row.user_id, host.now())).length >= maxTokens) throw tooManyTokens();
    await insertToken(tx, row);
    const expires_at = row.expires_at === null ? null : isoTime(row.expires_at);
    const details = { user: row.user_id, scopes: row.scopes, expires_at };
    await host.audit(tx, caller, { action: "token.create", object: { type: "token", id: row.id }, details });
  });

/** Tokens of the API (requests 2). They belong to one server and are never synchronised. */
export function tokenService(host: Host): TokenService {
  function checked(body: unknown) {
    const input = parse(newToken, body ?? {});
    const problems: Problem[] = [];
    const unknown = (input.scopes ?? []).filter((name) => !scopeNames.some((scope) => scope === name));
    if (unknown.length > 0) problems.push({ field: "scopes", messages: [`Unknown scope '${unknown[0]}'.`] });
    if (input.scopes?.length === 0) problems.push({ field: "scopes", messages: ["Shorter than minimum length 1."] });
    if (input.expires_at != null && input.expires_at <= host.now()) {
      problems.push({ field: "expires_at", messages: ["Expiration date must be set to the future"] });
    }
    if (problems.length > 0) throw invalid(problems);
    return input;
  }

  /** Stores the time of use at most once a minute, outside the call: a full disk must not make a read fail. */
  function noteUse(token: TokenRow): void {
    const now = host.now();
    if (token.last_used_at !== null && Math.abs(now - token.last_used_at) < microsPerMinute) return;
    updateToken(host.db, token.id, { last_used_at: now }).catch(() => undefined);
  }

  return {
    async issue(grant, body, caller = system) {
      const input = checked(body);
      const scopes = scopesFrom(input.scopes, grant);
      const secret = mintSecret(host);
      const row: TokenRow = {
        id: host.newUuid(),
        user_id: grant.userId,
        name: input.name,
        digest: digestOf(secret),
        scopes: scopes.join(" "),
        by_password: grant.byPassword ? 1 : 0,
        created: host.now(),
        expires_at: input.expires_at ?? null,
        last_used_at: null,
        revoked_at: null,
      };
      await insertRow(host, caller, grant, row);
      return { row, secret };
    },
    async verify(db, secret) {
      const digest = digestOf(secret);
      const found = await findTokenByDigest(db, digest);
      if (!found?.active || !isSameDigest(found.digest, digest) || !isLive(found, host.now())) return undefined;
      noteUse(found);
      return found;
    },
    list: (db, userId) => listLiveTokens(db, userId, host.now()),
    async require(db, caller, id) {
      const token = await findToken(db, id);
      if (!isLive(token, host.now()) || token.user_id !== caller.userId) throw notFound();
      return token;
    },
    async revoke(caller, id) {
      const token = await findToken(host.db, id);
      const isHers = token?.user_id === caller.userId || isSuperuser(caller);
      if (!isLive(token, host.now()) || !isHers) throw notFound();
      await revokeRow(host, caller, token);
    },
    async revokeById(id) {
      const token = await findToken(host.db, id);
      if (!isLive(token, host.now())) throw notFound(`There is no token '${id}' in use.`);
      await revokeRow(host, system, token);
    },
    async revokeByPassword(tx, userId, keptId, now) {
      await revokeTokensByPassword(tx, userId, keptId, now);
    },
  };
}
