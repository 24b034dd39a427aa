import { inSpokenLanguage } from "../pages/words.ts";

const en = {
  title: "Your account",
  waysTitle: "Ways to sign in",
  none: "No other account is linked.",
  link: (label: string) => `Link an account of ${label}`,
  used: (when: string) => `Last used on ${when}`,
  remove: "Remove",
  removeOne: (label: string) => `Remove ${label}`,
  last: "Your only way to sign in. Set a password by “Forgot your password?” to remove it.",
  sessionsTitle: "Sessions",
  session: (browser: string | null, system: string | null) =>
    [browser ?? "Unknown browser", system].filter((part) => part !== null).join(" on "),
  here: "This browser",
  end: "End",
  endOne: (name: string) => `End the session of ${name}`,
  factorTitle: "Second factor",
  demanded: "Your administrative rights wait until you have set up a second factor.",
  off: "An app on your phone shows a code for each sign-in. Then a stolen password is not enough.",
  on: (left: number) => `Set up. ${left} recovery ${left === 1 ? "code is" : "codes are"} left.`,
  consent: "Your password",
  noPassword: "Without a password, you need to have signed in within the last 15 minutes.",
  signInAgain: (label: string) => `Sign in again with ${label}`,
  begin: "Set up a second factor",
  scan: "Scan this code with an app for one-time codes, or type the key into it. Then enter the code that it shows.",
  qr: "QR code with the key",
  key: "Key",
  code: "Code",
  codeNow: "Code of your app, or a recovery code",
  confirm: "Confirm",
  unseen: "The second factor is set up already. If you have not seen your recovery codes, make new ones.",
  renew: "Make new recovery codes",
  removeFactor: "Remove the second factor",
  codesTitle: "Your recovery codes",
  codesText:
    "Each works once, in place of a code, if you lose your device. Print them or write them down: they are not shown again.",
  done: "I have kept them",
};

const de: typeof en = {
  title: "Ihr Konto",
  waysTitle: "Wege der Anmeldung",
  none: "Kein anderes Konto ist verknüpft.",
  link: (label: string) => `Konto bei ${label} verknüpfen`,
  used: (when: string) => `Zuletzt verwendet am ${when}`,
  remove: "Entfernen",
  removeOne: (label: string) => `${label} entfernen`,
  last: "Ihr einziger Weg der Anmeldung. Um ihn zu entfernen, setzen Sie über „Passwort vergessen?“ ein Passwort.",
  sessionsTitle: "Sitzungen",
  session: (browser: string | null, system: string | null) =>
    [browser ?? "Unbekannter Browser", system].filter((part) => part !== null).join(" auf "),
  here: "Dieser Browser",
  end: "Beenden",
  endOne: (name: string) => `Sitzung von ${name} beenden`,
  factorTitle: "Zweiter Faktor",
  demanded: "Ihre Administrationsrechte gelten erst, wenn Sie einen zweiten Faktor eingerichtet haben.",
  off: "Eine App auf Ihrem Telefon zeigt bei jeder Anmeldung einen Code. Dann genügt ein gestohlenes Passwort nicht.",
  on: (left: number) =>
    `Eingerichtet. Es ${left === 1 ? "ist 1 Wiederherstellungscode" : `sind ${left} Wiederherstellungscodes`} übrig.`,
  consent: "Ihr Passwort",
  noPassword: "Wer kein Passwort hat, muss sich in den letzten 15 Minuten angemeldet haben.",
  signInAgain: (label: string) => `Mit ${label} wieder anmelden`,
  begin: "Zweiten Faktor einrichten",
  scan: "Scannen Sie diesen Code mit einer App für Einmalcodes, oder tippen Sie den Schlüssel ein. Geben Sie dann den angezeigten Code ein.",
  qr: "QR-Code mit dem Schlüssel",
  key: "Schlüssel",
  code: "Code",
  codeNow: "Code Ihrer App oder ein Wiederherstellungscode",
  confirm: "Bestätigen",
  unseen:
    "Der zweite Faktor ist schon eingerichtet. Wenn Sie Ihre Wiederherstellungscodes nicht gesehen haben, erstellen Sie neue.",
  renew: "Neue Wiederherstellungscodes erzeugen",
  removeFactor: "Zweiten Faktor entfernen",
  codesTitle: "Ihre Wiederherstellungscodes",
  codesText:
    "Jeder gilt einmal anstelle eines Codes, wenn Sie Ihr Gerät verlieren. Drucken oder notieren Sie sie: Sie werden nicht wieder angezeigt.",
  done: "Ich habe sie aufbewahrt",
};

/** The words of the page about one's own account. */
export const homeWords = inSpokenLanguage({ en, de });
