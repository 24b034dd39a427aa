import { nameInMail, titleInMail } from "../mail/mail-text.presenter.ts";
import { refusalInWords } from "../pages/refusal-words.ts";
import { accountMailWords, type MailParts } from "./account-mail.words.ts";

type LinkKind = "reset" | "invitation" | "confirmation";

/** What a mail about an account says. */
export type AccountMail =
  | { about: LinkKind | "taken"; link: string; until: string; site: string; inviter?: string; way?: string }
  | { about: "changed"; site: string; link: string }
  | { about: "way-added"; site: string; link: string; way: string }
  | { about: "way-removed"; site: string; link: string; way: string }
  | { about: "second-factor"; site: string; link: string; isOn: boolean }
  | { about: "backup-failed"; site: string; link: string; reason: string };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function partsOf(mail: AccountMail): MailParts {
  const { site } = mail;
  const words = accountMailWords;
  if (mail.about === "changed") return words.changed(site);
  if (mail.about === "second-factor") return words.secondFactor(site, mail.isOn);
  if (mail.about === "way-added") return words.wayAdded(site, mail.way);
  if (mail.about === "way-removed") return words.wayRemoved(site, mail.way);
  if (mail.about === "backup-failed") return words.backupFailed(site, refusalInWords(mail.reason));
  const { until, way = "" } = mail;
  if (mail.about === "reset") return words.reset(site, until);
  if (mail.about === "confirmation") return words.confirmation(site, until, way);
  if (mail.about === "taken") return words.taken(site, way);
  return words.invitation(site, until, mail.inviter ?? words.administrator);
}

/** The mail with what others wrote in one line, without links. */
const inLines = (mail: AccountMail): AccountMail => ({
  ...mail,
  ...("inviter" in mail && mail.inviter !== undefined ? { inviter: nameInMail(mail.inviter) } : {}),
  ...("way" in mail && mail.way !== undefined ? { way: nameInMail(mail.way) } : {}),
  ...("reason" in mail ? { reason: titleInMail(mail.reason) } : {}),
});

/** Subject and both bodies of a mail about an account, in the spoken language (web 9). */
export function accountMailContent(mail: AccountMail): { subject: string; text: string; html: string } {
  const { subject, lines, action } = partsOf(inLines(mail));
  return {
    subject,
    text: `${lines.join("\n")}\n\n${action}: ${mail.link}\n`,
    html: [
      ...lines.map((line) => `<p>${escaped(line)}</p>`),
      `<p><a href="${escaped(mail.link)}">${action}</a></p>`,
    ].join("\n"),
  };
}
