import { nameInMail, titleInMail } from "../mail/mail-text.presenter.ts";

type LinkKind = "reset" | "invitation" | "confirmation";

/** What a mail about an account says. */
export type AccountMail =
  | { about: LinkKind | "taken"; link: string; until: string; site: string; inviter?: string; way?: string }
  | { about: "changed"; site: string; link: string }
  | { about: "way-added"; site: string; link: string; way: string }
  | { about: "second-factor"; site: string; link: string; isOn: boolean }
  | { about: "backup-failed"; site: string; link: string; reason: string };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function partsOf(mail: AccountMail): { subject: string; lines: string[]; action: string } {
  const { site } = mail;
  if (mail.about === "changed") {
    return {
      subject: `Your password at ${site} was changed`,
      lines: [`The password of your account at ${site} was changed.`, "If it was not you, choose a new one now."],
      action: "Choose a new password",
    };
  }
  if (mail.about === "second-factor") {
    const change = mail.isOn ? "set up" : "removed";
    return {
      subject: `The second factor of your account at ${site} was ${change}`,
      lines: [
        `The second factor of your account at ${site} was ${change}.`,
        "If it was not you, choose a new password now, and tell the administrator.",
      ],
      action: "See your account",
    };
  }
  if (mail.about === "way-added") {
    return {
      subject: `A way to sign in to ${site} was added`,
      lines: [
        `${mail.way} can now sign in to your account at ${site}.`,
        "If it was not you, remove it now and choose a new password.",
      ],
      action: "See your ways to sign in",
    };
  }
  if (mail.about === "backup-failed") {
    return {
      subject: `The backup of ${site} failed`,
      lines: [`The last backup of ${site} could not be written: ${mail.reason}`, "The server tries again every hour."],
      action: "See the backups",
    };
  }
  if (mail.about === "reset") {
    return {
      subject: `A new password for ${site}`,
      lines: [
        `Somebody asked for a new password of your account at ${site}.`,
        `The link works once, until ${mail.until}. If it was not you, ignore this mail.`,
      ],
      action: "Choose a new password",
    };
  }
  if (mail.about === "confirmation") {
    return {
      subject: `Confirm your address for ${site}`,
      lines: [
        `Somebody asked for an account at ${site} with this address. ${mail.way} will sign in to it.`,
        `The link works once, until ${mail.until}. If it was not you, ignore this mail.`,
      ],
      action: "Confirm the address",
    };
  }
  if (mail.about === "taken") {
    return {
      subject: `You have an account at ${site}`,
      lines: [
        `Somebody asked for an account at ${site} with this address, which has one already.`,
        `If it was you, sign in with your password once to link ${mail.way}. If not, ignore this mail.`,
      ],
      action: "Sign in",
    };
  }
  return {
    subject: `You are invited to ${site}`,
    lines: [
      `${mail.inviter ?? "An administrator"} invites you to ${site}.`,
      `The link works once, until ${mail.until}.`,
    ],
    action: "Create your account",
  };
}

/** The mail with what others wrote in one line, without links. */
const inLines = (mail: AccountMail): AccountMail => ({
  ...mail,
  ...("inviter" in mail && mail.inviter !== undefined ? { inviter: nameInMail(mail.inviter) } : {}),
  ...("way" in mail && mail.way !== undefined ? { way: nameInMail(mail.way) } : {}),
  ...("reason" in mail ? { reason: titleInMail(mail.reason) } : {}),
});

/** Subject and both bodies of a mail about an account (web 9). */
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
