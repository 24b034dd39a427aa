import type { Request } from "express";
import { clientNetwork } from "../../shared/kernel/client-address.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { arrivalSubject, loginLimits } from "../../shared/sign-in/login-limit.service.ts";
import type { SignInProvider } from "../../shared/sign-in/sign-in-settings.schema.ts";
import { type Exchange, type Oidc, SignInRefused, type Vouched } from "./oidc.service.ts";

/** Refused answers of providers to one network in 15 minutes. Many users may share it. */
const maxRefused = 60;

/**
 * Asks the provider who came back, within a limit on wrong answers: each costs calls to the provider.
 * @throws ProviderDown, SignInRefused, Failure 429.
 */
export function providerAnswers(host: Host, oidc: Oidc) {
  const limits = loginLimits(host);

  return async (req: Request, provider: SignInProvider, asked: Exchange): Promise<Vouched> => {
    const network = clientNetwork(req);
    let refusal: unknown;
    const vouched = await limits.under({ subject: arrivalSubject(network), network, most: maxRefused }, async () => {
      try {
        return await oidc.finish(provider, asked, new URL(req.originalUrl, host.baseUrl));
      } catch (error) {
        if (!(error instanceof SignInRefused)) throw error;
        refusal = error;
        return undefined;
      }
    });
    if (!vouched) throw refusal;
    return vouched;
  };
}
