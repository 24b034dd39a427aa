import { createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type Configuration } from "oidc-provider";

export const clientSecret = "a secret between the two";

/** Who signs in at the provider next. */
export interface ProviderAccount {
  sub: string;
  [claim: string]: unknown;
}

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const jwk = { ...privateKey.export({ format: "jwk" }), kid: "test", use: "sig", alg: "RS256" };

/** An ID token with other claims, and a valid signature unless the key is another one. */
function forged(token: string, change: Record<string, unknown>): string {
  const [head = "", payload = ""] = token.split(".");
  const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...change };
  const text = `${head}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
}

const claims = {
  openid: ["sub"],
  profile: ["name", "preferred_username"],
  email: ["email", "email_verified"],
  groups: ["groups"],
};

/** A certified OpenID provider on the loopback address, which signs its users in without asking, until `close()`. */
export async function openIdentityProvider(account: ProviderAccount) {
  const state = { account, forge: undefined as Record<string, unknown> | undefined, isDenied: false, isDown: false };
  const redirect_uris: string[] = [];
  let handle: (...args: Parameters<Parameters<typeof createServer>[1] & object>) => void = () => undefined;
  const server = createServer((req, res) => {
    if (state.isDown) req.socket.destroy();
    else handle(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Knows the address of the site, which is known once it runs. */
  function serve(...callbacks: string[]): void {
    redirect_uris.push(...callbacks);
    const configuration: Configuration = {
      clients: [
        { client_id: "carrel", client_secret: clientSecret, redirect_uris, grant_types: ["authorization_code"] },
      ],
      jwks: { keys: [jwk] },
      pkce: { required: () => true },
      claims,
      scopes: Object.keys(claims),
      cookies: { keys: ["k"] },
      features: { devInteractions: { enabled: false } },
      ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 600, Interaction: 600, Session: 600 },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...state.account, sub }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({ clientId: "carrel", accountId: oidc.session?.accountId ?? "" });
        grant.addOIDCScope("openid profile email groups");
        await grant.save();
        return grant;
      },
    };
    const provider = new Provider(issuer, configuration);
    provider.use(async (ctx, next) => {
      await next();
      const { body } = ctx as { body?: { id_token?: string } };
      if (body?.id_token !== undefined && state.forge) body.id_token = forged(body.id_token, state.forge);
    });
    const callback = provider.callback();
    handle = (req, res) => {
      if (!req.url?.startsWith("/interaction/")) return callback(req, res);
      const denied = { error: "access_denied", error_description: "no" };
      const result = state.isDenied ? denied : { login: { accountId: state.account.sub } };
      provider.interactionFinished(req, res, result).catch(() => res.writeHead(500).end());
    };
  }

  /** What a browser does at the provider. @returns the address that it sends the browser back to. */
  async function visit(start: string): Promise<string> {
    const cookies = new Map<string, string>();
    let at = start;
    while (at.startsWith(issuer)) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
      for (const text of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
        cookies.set(name, value);
      }
      const next = answer.headers.get("location");
      if (next === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
      at = new URL(next, at).href;
    }
    return at;
  }
  return { issuer, state, serve, visit, close: () => void server.close() };
}
