import type { Request } from "express";
import { transaction } from "../database/open.ts";
import type { UserRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { parse } from "../kernel/parse.ts";
import type { TokenService } from "../tokens/token.service.ts";
import type { Account, UserService } from "../users/user.service.ts";
import { loginLimits } from "./login-limit.service.ts";
import { hashPassword, isRightPassword } from "./password-hash.ts";
import type { SessionService } from "./session.service.ts";
import { newPassword, passwordChange } from "./sign-in.schema.ts";

export interface SignInService {
  /**
   * Who an account name and a password belong to.
   * @throws Failure 401 `invalid_grant`, alike for unknown, inactive, unconfirmed and wrong; 429 over the limit.
   */
  verify(account: Account, password: string, address: string): Promise<UserRow>;
  /** Ends the other sessions and the tokens got by password. @throws Failure 400 `password`, `new_password`; 429. */
  changePassword(caller: Caller, req: Request): Promise<void>;
  /** For the command line: a new password, which ends what the old one had opened. */
  resetPassword(userId: string, password: string): Promise<void>;
  /** @throws Failure 400 unless the text is fit to be a password. */
  hash(password: string): Promise<string>;
}

function invalidGrant(): Failure {
  return new Failure("unauthorized", "Invalid credentials.", {
    headers: { "WWW-Authenticate": 'Bearer realm="api"' },
    extra: { error: "invalid_grant", error_description: "The account name or the password is wrong." },
  });
}

export interface SignInParts {
  host: Host;
  users: UserService;
  tokens: TokenService;
  sessions: SessionService;
}

/** Passwords (requests 2.3). Hashing happens between transactions, never inside one. */
export function signInService({ host, users, tokens, sessions }: SignInParts): SignInService {
  const limits = loginLimits(host);

  async function rightUser(account: Account, password: string): Promise<UserRow | undefined> {
    const user = await users.findAccount(host.db, account);
    const mayEnter = user?.active === 1 && user.confirmed === 1;
    const hash = user && mayEnter ? await users.credentialOf(host.db, user.id) : undefined;
    return (await isRightPassword(password, hash)) ? user : undefined;
  }

  return {
    async verify(account, password, address) {
      const user = await limits.under(account.name, address, () => rightUser(account, password));
      if (!user) throw invalidGrant();
      return user;
    },
    async changePassword(caller, req) {
      const user = caller.userId === null ? undefined : await users.find(host.db, caller.userId);
      if (!user) throw notFound();
      const input = parse(passwordChange, req.body ?? {});
      const isRight = await limits.under(user.username, req.ip ?? "", async () => {
        const stored = await users.credentialOf(host.db, user.id);
        return (await isRightPassword(input.password, stored)) || undefined;
      });
      if (!isRight) throw invalidField("password", "The password is wrong.");
      const hash = await hashPassword(input.new_password);
      await transaction(host.db, async (tx) => {
        const now = host.now();
        await users.setCredential(tx, user.id, hash, now);
        await sessions.closeOthers(tx, user.id, req);
        await tokens.revokeByPassword(tx, user.id, caller.tokenId, now);
      });
    },
    async resetPassword(userId, password) {
      const hash = await hashPassword(parse(newPassword, password));
      await transaction(host.db, async (tx) => {
        const now = host.now();
        await users.setCredential(tx, userId, hash, now);
        await sessions.closeAll(tx, userId);
        await tokens.revokeByPassword(tx, userId, undefined, now);
      });
    },
    hash: async (password) => hashPassword(parse(newPassword, password)),
  };
}
