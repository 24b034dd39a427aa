import type { Request } from "express";
import { transaction } from "../database/open.ts";
import type { AccountLinkRow, UserRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import { clientNetwork } from "../kernel/client-address.ts";
import { Failure, invalidField, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf } from "../kernel/resource.ts";
import type { SignInService } from "../sign-in/sign-in.service.ts";
import type { UserService } from "../users/user.service.ts";
import { endLinksOf, insertLink } from "./account-link.repository.ts";
import type { AccountLinks } from "./account-link.service.ts";

const hourMicros = 3_600 * 1_000_000;

export interface PasswordResets {
  /**
   * Sends a link to the account with this address, if there is one. Does the same for any other address, so that nobody
   * learns which addresses have accounts. @throws Failure 429 over the limit of the caller's network.
   */
  ask(req: Request, email: string): Promise<void>;
  /**
   * Makes a link with which a user sets a new password, and mails it if the server sends mail. The password works on
   * until then. @throws Failure 404; 400 for a user who is not active.
   */
  offer(caller: Caller, userId: string): Promise<AccountLinkRow>;
  /** The user whose password the link sets; undefined when it has ended. */
  userOf(token: string): Promise<UserRow | undefined>;
  /** The user of a link that ended just now, such as by the first press of a button that was pressed twice. */
  formerUserOf(token: string): Promise<UserRow | undefined>;
  /** Sets the password by a link. @throws Failure 400 `password`; 404 when the link has ended. */
  reset(token: string, password: string): Promise<void>;
}

export interface PasswordResetParts {
  host: Host;
  users: UserService;
  signIn: SignInService;
  accountLinks: AccountLinks;
}

/** New passwords by a link in a mail (web 9). */
export function passwordResetService({ host, users, signIn, accountLinks }: PasswordResetParts): PasswordResets {
  /** The user who may use a link: active, and with the address that it was sent to. */
  async function userOfLink({ user_id: id, email }: AccountLinkRow): Promise<UserRow | undefined> {
    const user = id === null ? undefined : await users.find(host.db, id);
    return user?.active === 1 && user.email.toLowerCase() === email ? user : undefined;
  }

  return {
    async ask(req, sent) {
      const email = sent.trim().toLowerCase();
      const network = clientNetwork(req);
      const link = { ...accountLinks.fresh("reset", hourMicros, network), email, roles: "[]", invited_by: null };
      // The same writes for every address, so that the time of the answer tells nothing.
      await transaction(host.db, async (tx) => {
        const isOver = await accountLinks.isEnough(tx, "reset", email, network);
        const account = await users.findAccount(tx, { by: "email", name: email });
        const user = account?.active === 1 && account.confirmed === 1 && !isOver ? account : undefined;
        if (!isOver) await endLinksOf(tx, "reset", email, host.now());
        await insertLink(tx, { ...link, user_id: user?.id ?? null });
        await accountLinks.order(tx, { account: "reset", linkId: link.id });
        const object = user && { type: "user", id: user.id };
        await host.audit(tx, callerOf(req), { action: "user.ask-reset", ...(object ? { object } : {}) });
      });
      host.announceCommit();
    },
    async offer(caller, userId) {
      const user = await users.find(host.db, userId);
      if (!user) throw notFound();
      if (user.active !== 1) throw new Failure("invalid", "This account is not active. Activate it first.");
      const link = {
        ...accountLinks.fresh("reset", hourMicros, caller.address ?? ""),
        ...{ email: user.email.toLowerCase(), roles: "[]", invited_by: caller.userId, user_id: user.id },
      };
      await transaction(host.db, async (tx) => {
        await endLinksOf(tx, "reset", link.email, host.now());
        await insertLink(tx, link);
        await accountLinks.order(tx, { account: "reset", linkId: link.id });
        await host.audit(tx, caller, { action: "user.send-reset", object: { type: "user", id: user.id } });
      });
      host.announceCommit();
      return link;
    },
    async userOf(token) {
      const link = await accountLinks.find("reset", token);
      return link && userOfLink(link);
    },
    async formerUserOf(token) {
      const link = await accountLinks.findEnded("reset", token);
      return link && userOfLink(link);
    },
    reset: (token, password) =>
      accountLinks.use("reset", token, async (link, end) => {
        const user = await userOfLink(link);
        if (!user) throw notFound();
        const weakness = await signIn.weaknessOf(password, user);
        if (weakness !== undefined) throw invalidField("password", weakness);
        await signIn.resetPassword(user.id, password, end);
        await accountLinks.order(host.db, { account: "changed", userId: user.id });
        host.announceCommit();
      }),
  };
}
