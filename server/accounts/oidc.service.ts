import { readFileSync } from "node:fs";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { z } from "zod";
import { newInvitation } from "../../shared/accounts/accounts.schema.ts";
import type { VerifiedIdentity } from "../../shared/identities/identity.service.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import type { SignInProvider } from "../../shared/sign-in/sign-in-settings.schema.ts";

const keptMicros = 3_600 * 1_000_000;
const maxSeconds = 10;

/** What a browser carries while its user is at the provider. */
export const exchange = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });
export type Exchange = z.infer<typeof exchange>;

/** What a provider vouches for. */
export interface Vouched extends VerifiedIdentity {
  name: string;
  /** An address that the provider has verified. */
  email?: string;
  /** Values of the claim that the operator maps to groups. */
  groups: string[];
}

/** The provider did not answer, or not as one. */
export class ProviderDown extends Error {}
/** The provider's answer does not belong to this browser's sign-in, or the user declined. */
export class SignInRefused extends Error {}

export interface Oidc {
  /** The address at the provider. @throws ProviderDown */
  begin(provider: SignInProvider): Promise<{ url: URL; exchange: Exchange }>;
  /** Checks the address that the browser came back to. @throws ProviderDown, SignInRefused */
  finish(provider: SignInProvider, asked: Exchange, cameBackTo: URL): Promise<Vouched>;
}

/** @throws Failure `unavailable` for a secret that cannot be read. */
function secretOf({ id, client_secret: at }: SignInProvider): string | undefined {
  if (at === undefined) return undefined;
  const missing = (what: string) => new Failure("unavailable", `The client secret of the provider ${id}: ${what}.`);
  if ("environment" in at) {
    const found = process.env[at.environment];
    if (!found) throw missing(`the environment variable ${at.environment} is not set`);
    return found;
  }
  try {
    return readFileSync(at.file, "utf8").trim();
  } catch {
    throw missing(`the file ${at.file} cannot be read`);
  }
}

function clientAuth(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  return (server, ...rest) => {
    const offered = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (offered.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost)(secret)(server, ...rest);
  };
}

const scopeOf = ({ scope, kind }: SignInProvider): string =>
  scope ?? (kind === "orcid" ? "openid" : "openid profile email");

/** Text to show. */
const text = (value: unknown): string => (typeof value === "string" ? value.trim().slice(0, 255) : "");

/** The subject as it is, since a part of it could be the subject of another user. @throws SignInRefused */
function subjectIn({ sub }: Record<string, unknown>): string {
  if (typeof sub === "string" && sub !== "" && sub.length <= 255) return sub;
  throw new SignInRefused("the subject is not one of 1 to 255 characters");
}

/**
 * The verified address, whole; empty if there is none. Anybody may claim an address: one that is not verified is not
 * shown either.
 */
function addressIn({ email, email_verified }: Record<string, unknown>): string {
  const sent = newInvitation.shape.email.safeParse(email);
  return email_verified === true && sent.success ? sent.data : "";
}

/** A claim by its name, or by its path as in `realm_access.roles`. */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let at: unknown = claims;
  for (const part of name.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

/** The values of the operator's claim that their mapping knows: all others stay out of the cookie. */
function groupValues({ groups_claim: mapping }: SignInProvider, claims: Record<string, unknown>): string[] {
  if (!mapping) return [];
  const value = claimAt(claims, mapping.claim);
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === "string" && Object.hasOwn(mapping.groups, one));
}

/** @param answers of the provider, which hold claims each; the first one is the ID token. */
function vouchedBy(provider: SignInProvider, answers: readonly Record<string, unknown>[]): Vouched {
  const claims: Record<string, unknown> = Object.assign({}, ...answers.toReversed());
  const subject = subjectIn(claims);
  const name = text(claims.name) || [text(claims.given_name), text(claims.family_name)].filter(Boolean).join(" ");
  // Only the address in the same answer is the one that was verified.
  const email = answers.map(addressIn).find(Boolean) ?? "";
  const label = provider.kind === "orcid" ? subject : email || text(claims.preferred_username) || name || subject;
  return {
    ...{ issuer: String(claims.iss), subject, label, name },
    ...(email === "" ? {} : { email }),
    groups: groupValues(provider, claims),
  };
}

/** Whether a sign-in failed because the provider did not answer, not because of its answer. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, cause } = error as { code?: string; cause?: unknown };
  if (code === "OAUTH_TIMEOUT" || error.message === "fetch failed") return true;
  return cause instanceof Response ? cause.status >= 500 : cause instanceof Error && isOutage(cause);
}

/** Speaks with the providers of the settings (OpenID Connect, code flow with PKCE). Keeps no tokens. */
export function oidcService(host: Host): Oidc {
  const secrets = new Map(host.settings.sign_in.providers.map((one) => [one.id, secretOf(one)]));
  const known = new Map<string, { at: number; configuration: Promise<Configuration> }>();
  const callbackOf = ({ id }: SignInProvider): string => `${host.baseUrl}/sign-in/${id}/callback`;

  function discover({ issuer, client_id, id }: SignInProvider): Promise<Configuration> {
    const isPlain = issuer.startsWith("http:");
    return discovery(new URL(issuer), client_id, {}, clientAuth(secrets.get(id)), {
      // An answer's signature is checked even though it came over TLS.
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      timeout: maxSeconds,
    });
  }

  /** Discovery is kept for an hour; a failed one is not. */
  async function configurationOf(provider: SignInProvider): Promise<Configuration> {
    const kept = known.get(provider.id);
    const isFresh = kept !== undefined && Math.abs(host.now() - kept.at) < keptMicros;
    const configuration = isFresh ? kept.configuration : discover(provider);
    if (!isFresh) known.set(provider.id, { at: host.now(), configuration });
    try {
      return await configuration;
    } catch (error) {
      if (known.get(provider.id)?.configuration === configuration) known.delete(provider.id);
      throw new ProviderDown(`${provider.id} cannot be reached`, { cause: error });
    }
  }

  async function claimsOf(provider: SignInProvider, asked: Exchange, cameBackTo: URL) {
    const configuration = await configurationOf(provider);
    const url = new URL(callbackOf(provider));
    url.search = cameBackTo.search;
    const { state: expectedState, nonce: expectedNonce, verifier: pkceCodeVerifier } = asked;
    const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
    const tokens = await authorizationCodeGrant(configuration, url, checks);
    const claims = tokens.claims();
    if (!claims) throw new SignInRefused("there is no ID token");
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined && scopeOf(provider) !== "openid";
    const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
    return [claims, more];
  }

  return {
    async begin(provider) {
      const configuration = await configurationOf(provider);
      const exchange = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: callbackOf(provider),
        scope: scopeOf(provider),
        code_challenge: await calculatePKCECodeChallenge(exchange.verifier),
        code_challenge_method: "S256",
        state: exchange.state,
        nonce: exchange.nonce,
      });
      return { url, exchange };
    },
    async finish(provider, asked, cameBackTo) {
      try {
        return vouchedBy(provider, await claimsOf(provider, asked, cameBackTo));
      } catch (error) {
        if (error instanceof ProviderDown || error instanceof SignInRefused) throw error;
        if (isOutage(error)) throw new ProviderDown(`${provider.id} cannot be reached`, { cause: error });
        throw new SignInRefused(`the answer of ${provider.id} was refused`, { cause: error });
      }
    },
  };
}
