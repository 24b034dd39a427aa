import type { IdentityRow } from "../database/schema.ts";
import type { SignInProvider } from "../sign-in/sign-in-settings.schema.ts";

/** What names an account at a provider, for good. An e-mail address does not: it may get another owner. */
export type IdentityKey = Pick<IdentityRow, "issuer" | "subject">;

const plain = (issuer: string): string => issuer.replace(/\/$/, "");

/** The configured provider of an identity; undefined if the operator removed it. */
export const providerOf = <P extends Pick<SignInProvider, "issuer">>(
  providers: readonly P[],
  { issuer }: Pick<IdentityKey, "issuer">,
): P | undefined => providers.find((one) => plain(one.issuer) === plain(issuer));

/**
 * Whether a user can still sign in without one of their identities (web 9). Identities of providers that the operator
 * removed do not count.
 */
export function mayRemove(
  identity: IdentityKey,
  all: readonly IdentityKey[],
  { hasPassword, providers }: { hasPassword: boolean; providers: readonly SignInProvider[] },
): boolean {
  const isOther = (one: IdentityKey) => one.issuer !== identity.issuer || one.subject !== identity.subject;
  return hasPassword || all.some((one) => isOther(one) && providerOf(providers, one) !== undefined);
}
