import { inSpokenLanguage } from "../pages/words.ts";

/** A mail: its subject, its lines, and the words of its link. */
export interface MailParts {
  subject: string;
  lines: string[];
  action: string;
}

const en = {
  administrator: "An administrator",
  changed: (site: string): MailParts => ({
    subject: `Your password at ${site} was changed`,
    lines: [`The password of your account at ${site} was changed.`, "If it was not you, choose a new one now."],
    action: "Choose a new password",
  }),
  secondFactor: (site: string, isOn: boolean): MailParts => {
    const sentence = `The second factor of your account at ${site} was ${isOn ? "set up" : "removed"}`;
    return {
      subject: sentence,
      lines: [`${sentence}.`, "If it was not you, choose a new password now, and tell the administrator."],
      action: "See your account",
    };
  },
  wayAdded: (site: string, way: string): MailParts => ({
    subject: `A way to sign in to ${site} was added`,
    lines: [
      `${way} can now sign in to your account at ${site}.`,
      "If it was not you, remove it now and choose a new password.",
    ],
    action: "See your ways to sign in",
  }),
  wayRemoved: (site: string, way: string): MailParts => ({
    subject: `A way to sign in to ${site} was removed`,
    lines: [
      `${way} cannot sign in to your account at ${site} any more.`,
      "If it was not you, choose a new password now, and tell the administrator.",
    ],
    action: "See your ways to sign in",
  }),
  backupFailed: (site: string, reason: string): MailParts => ({
    subject: `The backup of ${site} failed`,
    lines: [
      `The last backup of ${site} could not be written: ${reason}`,
      "With a schedule, the server tries again within an hour.",
    ],
    action: "See the backups",
  }),
  reset: (site: string, until: string): MailParts => ({
    subject: `A new password for ${site}`,
    lines: [
      `Somebody asked for a new password of your account at ${site}.`,
      `The link works once, until ${until}. If it was not you, ignore this mail.`,
    ],
    action: "Choose a new password",
  }),
  confirmation: (site: string, until: string, way: string): MailParts => ({
    subject: `Confirm your address for ${site}`,
    lines: [
      `Somebody asked for an account at ${site} with this address. ${way} will sign in to it.`,
      `The link works once, until ${until}. If it was not you, ignore this mail.`,
    ],
    action: "Confirm the address",
  }),
  taken: (site: string, way: string): MailParts => ({
    subject: `You have an account at ${site}`,
    lines: [
      `Somebody asked for an account at ${site} with this address, which has one already.`,
      `If it was you, sign in with your password once to link ${way}. If not, ignore this mail.`,
    ],
    action: "Sign in",
  }),
  invitation: (site: string, until: string, inviter: string): MailParts => ({
    subject: `You are invited to ${site}`,
    lines: [`${inviter} invites you to ${site}.`, `The link works once, until ${until}.`],
    action: "Create your account",
  }),
};

const de: typeof en = {
  administrator: "Die Administration",
  changed: (site) => ({
    subject: `Ihr Passwort bei ${site} wurde geändert`,
    lines: [
      `Das Passwort Ihres Kontos bei ${site} wurde geändert.`,
      "Wenn Sie es nicht waren, wählen Sie jetzt ein neues.",
    ],
    action: "Neues Passwort wählen",
  }),
  secondFactor: (site, isOn) => {
    const sentence = `Der zweite Faktor Ihres Kontos bei ${site} wurde ${isOn ? "eingerichtet" : "entfernt"}`;
    return {
      subject: sentence,
      lines: [
        `${sentence}.`,
        "Wenn Sie es nicht waren, wählen Sie jetzt ein neues Passwort und melden Sie es der Administration.",
      ],
      action: "Konto ansehen",
    };
  },
  wayAdded: (site, way) => ({
    subject: `Eine Anmeldung bei ${site} kam hinzu`,
    lines: [
      `${way} kann sich jetzt bei Ihrem Konto bei ${site} anmelden.`,
      "Wenn Sie es nicht waren, entfernen Sie diese Anmeldung jetzt und wählen Sie ein neues Passwort.",
    ],
    action: "Anmeldungen ansehen",
  }),
  wayRemoved: (site, way) => ({
    subject: `Eine Anmeldung bei ${site} wurde entfernt`,
    lines: [
      `${way} kann sich nicht mehr bei Ihrem Konto bei ${site} anmelden.`,
      "Wenn Sie es nicht waren, wählen Sie jetzt ein neues Passwort und melden Sie es der Administration.",
    ],
    action: "Anmeldungen ansehen",
  }),
  backupFailed: (site, reason) => ({
    subject: `Die Sicherung von ${site} ist fehlgeschlagen`,
    lines: [
      `Die letzte Sicherung von ${site} konnte nicht geschrieben werden: ${reason}`,
      "Mit einem Zeitplan versucht der Server es innerhalb einer Stunde wieder.",
    ],
    action: "Sicherungen ansehen",
  }),
  reset: (site, until) => ({
    subject: `Ein neues Passwort für ${site}`,
    lines: [
      `Jemand hat ein neues Passwort für Ihr Konto bei ${site} angefordert.`,
      `Der Link gilt einmal, bis ${until}. Wenn Sie es nicht waren, beachten Sie diese E-Mail nicht.`,
    ],
    action: "Neues Passwort wählen",
  }),
  confirmation: (site, until, way) => ({
    subject: `Bestätigen Sie Ihre Adresse für ${site}`,
    lines: [
      `Jemand hat mit dieser Adresse ein Konto bei ${site} angefordert. ${way} meldet sich damit an.`,
      `Der Link gilt einmal, bis ${until}. Wenn Sie es nicht waren, beachten Sie diese E-Mail nicht.`,
    ],
    action: "Adresse bestätigen",
  }),
  taken: (site, way) => ({
    subject: `Sie haben ein Konto bei ${site}`,
    lines: [
      `Jemand hat mit dieser Adresse ein Konto bei ${site} angefordert. Sie haben dort schon eines.`,
      `Wenn Sie es waren, melden Sie sich einmal mit Ihrem Passwort an, um ${way} zu verknüpfen. Sonst beachten Sie diese E-Mail nicht.`,
    ],
    action: "Anmelden",
  }),
  invitation: (site, until, inviter) => ({
    subject: `Sie sind zu ${site} eingeladen`,
    lines: [`${inviter} lädt Sie zu ${site} ein.`, `Der Link gilt einmal, bis ${until}.`],
    action: "Konto anlegen",
  }),
};

/** The words of mails about accounts. */
export const accountMailWords = inSpokenLanguage({ en, de });
