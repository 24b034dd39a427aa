import { type Db, type Tx, transaction } from "../database/open.ts";
import type { AccountLinkRow } from "../database/schema.ts";
import type { GroupService } from "../groups/group.service.ts";
import type { Caller } from "../kernel/caller.ts";
import { Failure, invalidField, notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { spokenLanguage } from "../kernel/spoken-language.ts";
import type { SignInService } from "../sign-in/sign-in.service.ts";
import type { UserService } from "../users/user.service.ts";
import { findLink } from "./account-link.reader.ts";
import { endLink, endLinksOf, insertLink, listInvitations } from "./account-link.repository.ts";
import type { AccountLinks } from "./account-link.service.ts";
import type { Acceptance, NewInvitation } from "./accounts.schema.ts";

const lifeMicros = 7 * 86_400 * 1_000_000;
const maxInvitations = 1000;

export interface Invitations {
  /**
   * Invites the owner of an address. Earlier invitations to the address end.
   * @throws Failure 400 for an address in use, or an unknown group.
   */
  invite(caller: Caller, input: NewInvitation): Promise<AccountLinkRow>;
  /** The invitations that nobody has used or withdrawn, expired ones included, the newest first. */
  list(db: Db): Promise<AccountLinkRow[]>;
  /** @throws Failure 404. */
  withdraw(caller: Caller, id: string): Promise<void>;
  /** Sends an invitation again, with a new link and a new term. @throws Failure 404. */
  resend(caller: Caller, id: string): Promise<AccountLinkRow>;
  /** Creates the invited user. @throws Failure 400 with the field; 404 when the link has ended. */
  accept(token: string, input: Acceptance): Promise<void>;
}

export interface InvitationParts {
  host: Host;
  users: UserService;
  groups: Pick<GroupService, "find">;
  signIn: SignInService;
  accountLinks: AccountLinks;
}

/** Invitations of new users by a link (web 9). */
export function invitationService({ host, users, groups, signIn, accountLinks }: InvitationParts): Invitations {
  async function requireOpen(id: string): Promise<AccountLinkRow> {
    const link = await findLink(host.db, id);
    if (link?.kind !== "invitation" || link.ended_at !== null) throw notFound();
    return link;
  }

  async function assertPossible(tx: Tx, { email, roles }: NewInvitation): Promise<void> {
    if (await users.findAccount(tx, { by: "email", name: email })) {
      throw invalidField("email", `The email '${email}' is in use already.`);
    }
    for (const role of roles) {
      if (!(await groups.find(tx, role))) throw invalidField("roles", `There is no group '${role}'.`);
    }
    if ((await listInvitations(tx)).length >= maxInvitations) {
      throw new Failure("invalid", `There are ${maxInvitations} open invitations already. Withdraw some.`);
    }
  }

  async function invite(caller: Caller, input: NewInvitation): Promise<AccountLinkRow> {
    const link = {
      ...accountLinks.fresh("invitation", lifeMicros, caller.address ?? ""),
      ...{ email: input.email, roles: JSON.stringify(input.roles), user_id: null },
      invited_by: caller.via === "system" ? null : caller.userId,
    };
    await transaction(host.db, async (tx) => {
      await assertPossible(tx, input);
      await endLinksOf(tx, "invitation", input.email, host.now());
      await insertLink(tx, link);
      await accountLinks.order(tx, { account: "invitation", linkId: link.id });
      await host.audit(tx, caller, { action: "user.invite", object: { type: "invitation", id: link.id } });
    });
    host.announceCommit();
    return link;
  }

  return {
    invite,
    list: listInvitations,
    async withdraw(caller, id) {
      await requireOpen(id);
      await transaction(host.db, async (tx) => {
        await endLink(tx, id, host.now());
        await host.audit(tx, caller, { action: "user.withdraw-invitation", object: { type: "invitation", id } });
      });
    },
    async resend(caller, id) {
      const { email, roles } = await requireOpen(id);
      return invite(caller, { email, roles: JSON.parse(roles) });
    },
    accept: (token, { username, full_name, password }) =>
      accountLinks.use("invitation", token, async ({ email, roles }, end) => {
        const weakness = await signIn.weaknessOf(password, { username, email });
        if (weakness !== undefined) throw invalidField("password", weakness);
        const newcomer = {
          ...{ username, email, full_name, affiliations: "", roles: JSON.parse(roles) },
          ...({ active: true, confirmed: true, visibility: "public", email_visibility: "restricted" } as const),
          language: spokenLanguage(),
          password_hash: await signIn.hash(password),
        };
        await users.create(newcomer, { first: end });
      }),
  };
}
