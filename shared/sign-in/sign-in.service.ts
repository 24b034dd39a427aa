import type { Request } from "express";
import { type Tx, transaction } from "../database/open.ts";
import type { UserRow } from "../database/schema.ts";
import { type Caller, system } from "../kernel/caller.ts";
import { Failure, invalidField, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import { callerOf } from "../kernel/resource.ts";
import type { SecondFactors } from "../second-factor/second-factor.service.ts";
import type { TokenService } from "../tokens/token.service.ts";
import type { Account, UserService } from "../users/user.service.ts";
import type { DeviceService } from "./device.service.ts";
import { hashPassword } from "./password-hash.ts";
import { type PasswordProof, passwordProofService } from "./password-proof.service.ts";
import { type Named, weaknessOf } from "./password-weakness.ts";
import type { SessionService } from "./session.service.ts";
import { newPassword, passwordChange } from "./sign-in.schema.ts";

export interface Credentials {
  account: Account;
  password: string;
  /** Of the second factor. */
  code?: string | undefined;
}

export interface SignInService {
  /**
   * Verifies an account name and a password, and the code of a second factor if the user has one.
   * @throws Failure 401 `invalid_grant`, identical for unknown, inactive, unconfirmed and wrong, then
   * `second_factor_required` or `invalid_second_factor`; 429 over the limit.
   */
  verify(sent: Credentials, req: Request): Promise<PasswordProof>;
  /** As `verify`, for pages that ask for the code in a second step. */
  verifyPassword(sent: Omit<Credentials, "code">, req: Request): Promise<PasswordProof>;
  /**
   * The caller says again who they are: by their password; without one, by a sign-in in the last 15 minutes.
   * @throws Failure 400 `password`; 429.
   */
  confirm(caller: Caller, req: Request, password: string): Promise<PasswordProof>;
  /**
   * Ends the other sessions and the tokens issued for a password. @throws Failure 400 `password`, `new_password`; 429.
   */
  changePassword(caller: Caller, req: Request): Promise<void>;
  /**
   * Sets a password, ends sessions and tokens of the old one, and resets the failures. @param first runs at the start of
   * the transaction.
   */
  resetPassword(userId: string, password: string, first?: (tx: Tx) => Promise<void>): Promise<void>;
  /** Resets the failures that lock an account, and those of its second factor. */
  unlock(user: UserRow): Promise<void>;
  /** Why a user's new password is easy to guess, as a message; undefined if it is not. */
  weaknessOf(password: string, person: Named): Promise<string | undefined>;
  /** @throws Failure 400 for a password that is too short or too long. */
  hash(password: string): Promise<string>;
}

function invalidGrant(): Failure {
  return new Failure("unauthorized", "Invalid credentials.", {
    headers: { "WWW-Authenticate": 'Bearer realm="api"' },
    extra: { error: "invalid_grant", error_description: "The account name or the password is wrong." },
  });
}

const wrongPassword = (): Failure => invalidField("password", "The password is wrong.");

/** How long a sign-in counts as just now. */
const freshMicros = 15 * 60 * 1_000_000;

const passwordChanged = "user.change-password";

export interface SignInParts {
  host: Host;
  users: UserService;
  tokens: TokenService;
  sessions: SessionService;
  devices: DeviceService;
  secondFactors: Pick<SecondFactors, "check" | "unlock">;
}

/** Logs the account only if it exists: an unknown name may be a password in the wrong field. */
async function auditingRefusals<T>(
  host: Host,
  req: Request,
  action: string,
  user: UserRow | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Refusals over a limit are not logged: the failures before them are.
    if (error instanceof Failure && error.kind !== "too_many" && error.status < 500) {
      const object = user && { type: "user", id: user.id };
      await host.audit(host.db, callerOf(req), { action, status: error.status, ...(object ? { object } : {}) });
    }
    throw error;
  }
}

/** Passwords (requests 2.3). Hashing happens between transactions, never inside one. */
export function signInService({ host, users, tokens, sessions, devices, secondFactors }: SignInParts): SignInService {
  const passwords = passwordProofService({ host, users, devices });

  /** The user of an account, if they may sign in. */
  async function findPerson(account: Account): Promise<UserRow | undefined> {
    const user = await users.findAccount(host.db, account);
    return user?.active === 1 && user.confirmed === 1 ? user : undefined;
  }

  const verifyPassword: SignInService["verifyPassword"] = async ({ account, password }, req) => {
    const known = await users.findAccount(host.db, account);
    const attempt = { account: account.name, password, req, find: () => findPerson(account), refusal: invalidGrant };
    return auditingRefusals(host, req, "user.sign-in", known, () => passwords.prove(attempt));
  };

  const confirmByPassword = (user: UserRow, password: string, req: Request, action: string) =>
    auditingRefusals(host, req, action, user, () =>
      passwords.prove({ account: user.username, password, req, find: async () => user, refusal: wrongPassword }),
    );

  return {
    verifyPassword,
    async verify(sent, req) {
      const proof = await verifyPassword(sent, req);
      await secondFactors.check(req, proof.user, sent.code);
      return proof;
    },
    async confirm(caller, req, password) {
      const user = caller.userId === null ? undefined : await users.find(host.db, caller.userId);
      if (!user) throw notFound();
      if ((await users.credentialOf(host.db, user.id)) !== undefined) {
        return confirmByPassword(user, password, req, "user.confirm-password");
      }
      const session = (await sessions.list(user.id)).find(({ digest }) => digest === caller.sessionId);
      if (!session || session.created < host.now() - freshMicros) {
        throw invalidField("password", "Sign in again first: the last sign-in is more than 15 minutes ago.");
      }
      return { user, assertCurrent: async () => undefined };
    },
    async changePassword(caller, req) {
      const user = caller.userId === null ? undefined : await users.find(host.db, caller.userId);
      if (!user) throw notFound();
      const input = parse(passwordChange, req.body ?? {});
      const { assertCurrent } = await confirmByPassword(user, input.password, req, passwordChanged);
      const weakness = await weaknessOf(input.new_password, user);
      if (weakness !== undefined) throw invalidField("new_password", weakness);
      const hash = await hashPassword(input.new_password);
      await transaction(host.db, async (tx) => {
        const now = host.now();
        await assertCurrent(tx);
        await users.setCredential(tx, user.id, hash, now);
        await sessions.closeOthers(tx, user.id, req);
        await devices.forgetOthers(tx, user.id, req);
        await tokens.revokeByPassword(tx, user.id, caller.tokenId, now);
        await host.audit(tx, caller, { action: passwordChanged, object: { type: "user", id: user.id } });
      });
    },
    async resetPassword(userId, password, first) {
      const hash = await hashPassword(parse(newPassword, password));
      await transaction(host.db, async (tx) => {
        const now = host.now();
        await first?.(tx);
        await users.setCredential(tx, userId, hash, now);
        await sessions.closeAll(tx, userId);
        await devices.forgetAll(tx, userId);
        await tokens.revokeByPassword(tx, userId, undefined, now);
        await host.audit(tx, system, { action: "user.reset-password", object: { type: "user", id: userId } });
      });
      const user = await users.find(host.db, userId);
      if (user) await passwords.unlock(user);
    },
    async unlock(user) {
      await Promise.all([passwords.unlock(user), secondFactors.unlock(user.id)]);
      await host.audit(host.db, system, { action: "user.unlock", object: { type: "user", id: user.id } });
    },
    weaknessOf,
    hash: async (password) => hashPassword(parse(newPassword, password)),
  };
}
