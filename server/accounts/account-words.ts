import { inSpokenLanguage } from "../pages/words.ts";

const en = {
  kind: "Account",
  account: "User name or e-mail address",
  username: "User name",
  fullName: "Full name",
  email: "E-mail address",
  password: "Password",
  newPassword: "New password",
  passwordRules: "At least 8 characters, and none of the most common passwords.",
  passwordLength: "A password has 8 to 128 characters.",
  signIn: {
    title: "Sign in",
    action: "Sign in",
    forgot: "Forgot your password?",
    with: (provider: string) => `Continue with ${provider}`,
    byPassword: "Or with your password",
    wrong: "The name or the password is wrong.",
    notKept:
      "You are not signed in yet. This took too long, or your browser keeps no cookies of this site. Allow them, then sign in again.",
    none: "No account yet? Accounts are given by invitation.",
    limited: (minutes: number) => `Too many attempts. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
  },
  code: {
    title: "Enter the code",
    text: "Your account has a second factor. Open the app with your one-time codes.",
    field: "Code",
    wrong: "The code is wrong, or was used already.",
    limited:
      "Too many wrong codes were sent. Use a recovery code, or a browser in which you signed in before, or try again later.",
    lost: "Without your device, use one of your recovery codes. Without these, ask the administrator of your team.",
  },
  signOut: { title: "Sign out", action: "Sign out", text: "Do you want to sign out?" },
  forgot: {
    title: "Choose a new password",
    text: "Enter the e-mail address of your account. A mail with a link will help you on.",
    action: "Send the link",
    sentTitle: "Look into your mail",
    sent: "If an account has this address, a mail with a link is on its way. The link works for an hour.",
    noMail: "This server sends no mail. Ask the administrator of your team for a new password.",
    limited: "Too many requests for a new password came from your network. Try again in an hour.",
  },
  reset: {
    title: "Choose a new password",
    text: (name: string) => `For the account “${name}”. Other browsers and devices will be signed out.`,
    action: "Save the password",
    done: "Your password was changed",
    doneText: "You can sign in with it now.",
  },
  invitation: {
    title: "Create your account",
    text: (email: string) => `For ${email}.`,
    action: "Create the account",
    byPassword: "Or with a password",
  },
  ended: {
    title: "This link has ended",
    reset: "A link works for an hour, and once. Of several mails, only the newest has a link that works.",
    resetAgain: "Ask for a new one",
    confirmation:
      "A link works for a day, and once. Of several mails, only the newest has a link that works. Sign in with your provider again to get a new one.",
    entered: "A link works for seven days, and once. You are signed in already.",
    toFirst: "Go to the first page",
    invitation:
      "A link works for seven days, and once. Of several mails, only the newest has a link that works. Ask the person who invited you for a new one.",
  },
};

const de: typeof en = {
  kind: "Konto",
  account: "Benutzername oder E-Mail-Adresse",
  username: "Benutzername",
  fullName: "Vollständiger Name",
  email: "E-Mail-Adresse",
  password: "Passwort",
  newPassword: "Neues Passwort",
  passwordRules: "Mindestens 8 Zeichen und keines der häufigsten Passwörter.",
  passwordLength: "Ein Passwort hat 8 bis 128 Zeichen.",
  signIn: {
    title: "Anmelden",
    action: "Anmelden",
    forgot: "Passwort vergessen?",
    with: (provider: string) => `Weiter mit ${provider}`,
    byPassword: "Oder mit Ihrem Passwort",
    wrong: "Der Name oder das Passwort ist falsch.",
    notKept:
      "Sie sind noch nicht angemeldet. Es dauerte zu lange, oder Ihr Browser speichert keine Cookies dieser Seite. Erlauben Sie sie und melden Sie sich wieder an.",
    none: "Noch kein Konto? Konten gibt es auf Einladung.",
    limited: (minutes: number) =>
      `Zu viele Versuche. Versuchen Sie es in ${minutes} ${minutes === 1 ? "Minute" : "Minuten"} wieder.`,
  },
  code: {
    title: "Code eingeben",
    text: "Ihr Konto hat einen zweiten Faktor. Öffnen Sie die App mit Ihren Einmalcodes.",
    field: "Code",
    wrong: "Der Code ist falsch oder wurde schon verwendet.",
    limited:
      "Es wurden zu viele falsche Codes gesendet. Verwenden Sie einen Wiederherstellungscode oder einen Browser, in dem Sie schon angemeldet waren, oder versuchen Sie es später wieder.",
    lost: "Ohne Ihr Gerät verwenden Sie einen Ihrer Wiederherstellungscodes. Ohne diese fragen Sie die Administration Ihres Teams.",
  },
  signOut: { title: "Abmelden", action: "Abmelden", text: "Möchten Sie sich abmelden?" },
  forgot: {
    title: "Neues Passwort wählen",
    text: "Geben Sie die E-Mail-Adresse Ihres Kontos ein. Eine E-Mail mit einem Link hilft Ihnen weiter.",
    action: "Link senden",
    sentTitle: "Sehen Sie in Ihr Postfach",
    sent: "Wenn ein Konto diese Adresse hat, ist eine E-Mail mit einem Link unterwegs. Der Link gilt eine Stunde.",
    noMail: "Dieser Server sendet keine E-Mails. Fragen Sie die Administration Ihres Teams nach einem neuen Passwort.",
    limited: "Aus Ihrem Netz kamen zu viele Bitten um ein neues Passwort. Versuchen Sie es in einer Stunde wieder.",
  },
  reset: {
    title: "Neues Passwort wählen",
    text: (name: string) => `Für das Konto „${name}“. Andere Browser und Geräte werden abgemeldet.`,
    action: "Passwort speichern",
    done: "Ihr Passwort wurde geändert",
    doneText: "Sie können sich jetzt damit anmelden.",
  },
  invitation: {
    title: "Konto anlegen",
    text: (email: string) => `Für ${email}.`,
    action: "Konto anlegen",
    byPassword: "Oder mit einem Passwort",
  },
  ended: {
    title: "Dieser Link ist abgelaufen",
    reset: "Ein Link gilt eine Stunde lang und nur einmal. Von mehreren E-Mails gilt nur der Link der neuesten.",
    resetAgain: "Neuen Link anfordern",
    confirmation:
      "Ein Link gilt einen Tag lang und nur einmal. Von mehreren E-Mails gilt nur der Link der neuesten. Melden Sie sich wieder bei Ihrem Anbieter an, um einen neuen zu erhalten.",
    entered: "Ein Link gilt sieben Tage lang und nur einmal. Sie sind schon angemeldet.",
    toFirst: "Zur ersten Seite",
    invitation:
      "Ein Link gilt sieben Tage lang und nur einmal. Von mehreren E-Mails gilt nur der Link der neuesten. Bitten Sie die Person, die Sie eingeladen hat, um einen neuen.",
  },
};

/** The words of the pages about accounts. */
export const accountWords = inSpokenLanguage({ en, de });
