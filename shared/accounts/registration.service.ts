import type { Request } from "express";
import { type Tx, transaction } from "../database/open.ts";
import type { AccountLinkRow } from "../database/schema.ts";
import type { Identities } from "../identities/identity.service.ts";
import { system } from "../kernel/caller.ts";
import { clientNetwork } from "../kernel/client-address.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf } from "../kernel/resource.ts";
import { spokenLanguage } from "../kernel/spoken-language.ts";
import type { UserService } from "../users/user.service.ts";
import { endLinksOf, insertLink } from "./account-link.repository.ts";
import type { AccountLinks, EndLink } from "./account-link.service.ts";
import { type Newcomer, newcomer as newcomerShape } from "./accounts.schema.ts";

const dayMicros = 86_400 * 1_000_000;

export interface Registrations {
  /** Creates an account by an invitation. @throws Failure 400 for a name in use; 404 when the invitation has ended. */
  byInvitation(token: string, newcomer: Newcomer): Promise<void>;
  /** Creates an account for an address that the newcomer's provider decides on. @throws Failure 400 */
  byProvider(email: string, newcomer: Newcomer): Promise<void>;
  /**
   * Sends a link to the address. If an account has this address, its owner gets a mail that says so; the page looks the
   * same. @throws Failure 400 for a name in use; 429 over the limit of the network.
   */
  ask(req: Request, email: string, newcomer: Newcomer): Promise<void>;
  /** What a link would create; undefined when it has ended. */
  find(token: string): Promise<{ email: string; newcomer: Newcomer } | undefined>;
  /** What a link created just now: the second press of its button comes to it. */
  findDone(token: string): Promise<Newcomer | undefined>;
  /** Creates the account that a link confirms. @throws Failure 400 for a name in use; 404 when the link has ended. */
  confirm(token: string): Promise<Newcomer>;
}

export interface RegistrationParts {
  host: Host;
  users: UserService;
  identities: Identities;
  accountLinks: AccountLinks;
}

const newcomerOf = ({ newcomer }: AccountLinkRow): Newcomer => newcomerShape.parse(JSON.parse(newcomer ?? "{}"));

/** New accounts of users who sign in with a provider (web 9). */
export function registrationService({ host, users, identities, accountLinks }: RegistrationParts): Registrations {
  async function assertNameFree(tx: Tx, username: string): Promise<void> {
    if (await users.findAccount(tx, { by: "username", name: username })) {
      throw new Failure("invalid", `The username '${username}' is in use already.`);
    }
  }

  /** @param end ends the link that it follows from. */
  async function create(
    { username, full_name, identity }: Newcomer,
    { email, roles }: Pick<AccountLinkRow, "email" | "roles">,
    end?: EndLink,
  ): Promise<void> {
    const user = {
      ...{ username, email, full_name, affiliations: "", roles: JSON.parse(roles), password_hash: null },
      ...({ active: true, confirmed: true, visibility: "public", email_visibility: "restricted" } as const),
      language: spokenLanguage(),
    };
    await users.create(user, {
      async first(tx) {
        await end?.(tx);
        if (await identities.find(tx, identity)) {
          throw new Failure("conflict", `${identity.label} has an account here already.`);
        }
      },
      last: (tx, id) => identities.add(tx, system, id, identity, true),
    });
  }

  return {
    byInvitation: (token, newcomer) =>
      accountLinks.use("invitation", token, (link, end) => create(newcomer, link, end)),
    byProvider: (email, newcomer) => create(newcomer, { email, roles: "[]" }),
    async ask(req, sent, newcomer) {
      const email = sent.trim().toLowerCase();
      const network = clientNetwork(req);
      const link = {
        ...accountLinks.fresh("confirmation", dayMicros, network),
        ...{ email, roles: "[]", invited_by: null, newcomer: JSON.stringify(newcomer) },
      };
      await transaction(host.db, async (tx) => {
        const isOver = await accountLinks.isEnough(tx, "confirmation", email, network);
        await assertNameFree(tx, newcomer.username);
        const owner = await users.findAccount(tx, { by: "email", name: email });
        if (!isOver) await endLinksOf(tx, "confirmation", email, host.now());
        await insertLink(tx, { ...link, user_id: owner?.id ?? null, ended_at: isOver ? host.now() : null });
        await accountLinks.order(tx, { account: "confirmation", linkId: link.id });
        await host.audit(tx, callerOf(req), { action: "user.ask-account" });
      });
      host.announceCommit();
    },
    async find(token) {
      const link = await accountLinks.find("confirmation", token);
      return link && { email: link.email, newcomer: newcomerOf(link) };
    },
    async findDone(token) {
      const link = await accountLinks.findEnded("confirmation", token);
      const newcomer = link && newcomerOf(link);
      return newcomer && (await identities.find(host.db, newcomer.identity)) ? newcomer : undefined;
    },
    confirm: (token) =>
      accountLinks.use("confirmation", token, async (link, end) => {
        const newcomer = newcomerOf(link);
        await create(newcomer, link, end);
        return newcomer;
      }),
  };
}
