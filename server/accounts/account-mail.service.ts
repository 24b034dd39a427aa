import { findLink } from "../../shared/accounts/account-link.reader.ts";
import { type AccountLinks, isInTime } from "../../shared/accounts/account-link.service.ts";
import type { AccountOrder } from "../../shared/accounts/account-order.ts";
import type { UserRow } from "../../shared/database/schema.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { inLanguage } from "../../shared/kernel/spoken-language.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import type { UserService } from "../../shared/users/user.service.ts";
import { mailLanguage } from "../mail/mail-language.ts";
import { mailSite } from "../mail/mail-site.ts";
import type { Mail } from "../mail/mailer.ts";
import { type AccountMail, accountMailContent } from "./account-mail.ts";

export interface AccountMailParts {
  host: Host;
  users: Pick<UserService, "find">;
  links: Pick<AccountLinks, "addressOf">;
  /** Why a backup failed; undefined if it is not known any more. */
  backupFailure(runId: string): Promise<string | undefined>;
}

/** Writes mail about accounts from the current state. */
export function accountMailService({ host, users, links, backupFailure }: AccountMailParts) {
  const site = mailSite(host);

  async function nameOf(userId: string | null): Promise<string | undefined> {
    const user = userId === null ? undefined : await users.find(host.db, userId);
    return user && (user.full_name || user.username);
  }

  function changeOf(order: Exclude<AccountOrder, { linkId: string } | { runId: string }>): AccountMail {
    const link = `${host.baseUrl}/account`;
    if (order.account === "changed") return { about: "changed", site, link: `${host.baseUrl}/forgot-password` };
    if (order.account === "second-factor") return { about: "second-factor", site, link, isOn: order.isOn };
    return { about: order.account, site, link, way: order.label };
  }

  /** In the language of the recipient. */
  const written = (mail: AccountMail, { language }: AccountOrder, user: UserRow | undefined) =>
    inLanguage(mailLanguage(host.settings, user, language), () => accountMailContent(mail));

  /** Undefined if there is nothing to say any more: no account has the address, or the link has ended. */
  return async function compose(id: string, order: AccountOrder): Promise<Mail | undefined> {
    if (order.account === "backup-failed") {
      const user = await users.find(host.db, order.userId);
      const reason = user?.active === 1 ? await backupFailure(order.runId) : undefined;
      const link = `${host.baseUrl}/administration/backups`;
      if (!user || reason === undefined) return undefined;
      return { id, to: user.email, ...written({ about: "backup-failed", site, link, reason }, order, user) };
    }
    if (!("linkId" in order)) {
      const user = await users.find(host.db, order.userId);
      return user && { id, to: user.email, ...written(changeOf(order), order, user) };
    }
    const link = await findLink(host.db, order.linkId);
    if (
      !link ||
      link.ended_at !== null ||
      !isInTime(link, host.now()) ||
      (link.kind === "reset" && link.user_id === null)
    )
      return undefined;
    const user = link.user_id === null ? undefined : await users.find(host.db, link.user_id);
    const inviter = await nameOf(link.invited_by);
    const isTaken = link.kind === "confirmation" && user !== undefined;
    const mail: AccountMail = {
      about: isTaken ? "taken" : link.kind,
      link: isTaken ? `${host.baseUrl}/sign-in` : links.addressOf(link, host.baseUrl),
      ...(link.newcomer === null ? {} : { way: JSON.parse(link.newcomer).identity.label }),
      until: `${isoTime(link.expires_at).slice(0, 16).replace("T", " ")} UTC`,
      site,
      ...(inviter === undefined ? {} : { inviter }),
    };
    return { id, to: user?.email ?? link.email, ...written(mail, order, user) };
  };
}
