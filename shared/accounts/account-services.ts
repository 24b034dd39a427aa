import { identityService } from "../identities/identity.service.ts";
import { type EffectParts, identityEffects } from "../identities/identity-effects.service.ts";
import type { Host } from "../kernel/host.ts";
import { accountLinks } from "./account-link.service.ts";
import { type InvitationParts, invitationService } from "./invitation.service.ts";
import { type PasswordResetParts, passwordResetService } from "./password-reset.service.ts";
import { registrationService } from "./registration.service.ts";

type Needs = Omit<InvitationParts & PasswordResetParts & EffectParts, "host" | "accountLinks">;

/**
 * What users do by links in mail: reset a password, accept an invitation. @param secret of the data folder.
 * @param sendsMail whether the server has a mail server; a command does not see the settings.
 */
export function createAccountServices(
  host: Host,
  needs: Needs,
  secret: Uint8Array,
  sendsMail = host.settings.smtp !== undefined,
) {
  const links = accountLinks(host, secret, sendsMail);
  const parts = { host, ...needs, accountLinks: links };
  const effects = identityEffects({ host, ...needs });
  const identities = identityService({ host, users: needs.users, order: links.order, effects });
  return {
    accountLinks: links,
    invitations: invitationService(parts),
    passwordResets: passwordResetService(parts),
    registrations: registrationService({ ...parts, identities }),
    identities,
    effects,
  };
}
export type AccountServices = ReturnType<typeof createAccountServices>;
