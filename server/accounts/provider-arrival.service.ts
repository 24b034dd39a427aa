import { z } from "zod";
import type { AccountServices } from "../../shared/accounts/account-services.ts";
import type { Newcomer } from "../../shared/accounts/accounts.schema.ts";
import { transaction } from "../../shared/database/open.ts";
import type { IdentityRow } from "../../shared/database/schema.ts";
import type { Caller } from "../../shared/kernel/caller.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { PasswordProof } from "../../shared/sign-in/password-proof.service.ts";
import type { SignInProvider } from "../../shared/sign-in/sign-in-settings.schema.ts";
import type { UserService } from "../../shared/users/user.service.ts";

/** Who came back from a provider; carried by the browser until it is clear what to do with them. */
export const pending = z.object({
  provider: z.string(),
  vouched: z.object({
    ...{ issuer: z.string(), subject: z.string(), label: z.string(), name: z.string() },
    email: z.string().optional(),
    groups: z.array(z.string()),
  }),
  next: z.string(),
  /** The text of the invitation that they came with. */
  invitation: z.string().optional(),
});
export type Pending = z.infer<typeof pending>;

export interface Arrivals {
  providerOf(id: string): SignInProvider | undefined;
  /** The account here. Links the one with an address that the provider decides on. */
  find(caller: Caller, arrived: Pending): Promise<IdentityRow | undefined>;
  /** The address of a new account, if it needs no confirmation. */
  addressOf(arrived: Pending): Promise<string | undefined>;
  /** Links the account to a user, who has just proved who they are. @throws Failure 409, 400. */
  link(caller: Caller, userId: string, arrived: Pending, proof?: PasswordProof): Promise<void>;
  /** Creates the account of a newcomer whose address is known. @throws Failure 400, 404, 409. */
  create(arrived: Pending, newcomer: Newcomer): Promise<void>;
  /** Brings groups and ORCID iD of the linked user in line with what the provider says. */
  applyClaims(arrived: Pending): Promise<void>;
}

export interface ArrivalParts {
  host: Host;
  users: UserService;
  accounts: AccountServices;
}

/** What to do with a user who comes back from a provider (web 9). */
export function arrivalService({ host, users, accounts }: ArrivalParts): Arrivals {
  const { identities, registrations, accountLinks, effects } = accounts;
  const { providers } = host.settings.sign_in;
  const providerOf = (id: string) => providers.find((one) => one.id === id);

  /** The verified address, if the operator marked the provider as the authority for its domain. */
  function authorityAddress({ provider, vouched: { email } }: Pending): string | undefined {
    const domains = providerOf(provider)?.email_domains ?? [];
    return email !== undefined && domains.includes(email.slice(email.lastIndexOf("@") + 1)) ? email : undefined;
  }

  /** The address of a new account, and the invitation that it comes from, if any. */
  async function entranceOf(arrived: Pending): Promise<{ email: string; invitation?: string } | undefined> {
    const kind = providerOf(arrived.provider)?.accounts ?? "linked";
    if (kind === "linked") return undefined;
    const { invitation } = arrived;
    const link = invitation === undefined ? undefined : await accountLinks.find("invitation", invitation);
    if (link && invitation !== undefined) return { email: link.email, invitation };
    const email = kind === "anyone" ? authorityAddress(arrived) : undefined;
    return email === undefined ? undefined : { email };
  }

  const link: Arrivals["link"] = async (caller, userId, { vouched }, proof) => {
    await transaction(host.db, async (tx) => {
      await proof?.assertCurrent(tx);
      await identities.add(tx, caller, userId, vouched);
    });
    host.announceCommit();
  };

  return {
    providerOf,
    async find(caller, arrived) {
      const known = await identities.find(host.db, arrived.vouched);
      const address = authorityAddress(arrived);
      if (known || address === undefined || caller.userId !== null) return known;
      const owner = await users.findAccount(host.db, { by: "email", name: address });
      if (owner?.active !== 1 || owner.confirmed !== 1) return undefined;
      await link(caller, owner.id, arrived);
      return identities.find(host.db, arrived.vouched);
    },
    addressOf: async (arrived) => (await entranceOf(arrived))?.email,
    link,
    async create(arrived, newcomer) {
      const entrance = await entranceOf(arrived);
      if (entrance?.invitation !== undefined) await registrations.byInvitation(entrance.invitation, newcomer);
      else if (entrance) await registrations.byProvider(entrance.email, newcomer);
    },
    applyClaims: ({ vouched }) => effects.applyClaims(vouched, vouched.groups),
  };
}
