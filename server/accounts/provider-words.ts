import { inSpokenLanguage } from "../pages/words.ts";

const en = {
  down: {
    title: (label: string) => `${label} cannot be reached`,
    text: (label: string) => `${label} does not answer at the moment. Try again later, or sign in another way.`,
  },
  refused: {
    title: "You are not signed in",
    unchanged: "Nothing was changed",
    lost: "The sign-in took longer than ten minutes, or your browser kept no cookie for it. Allow cookies for this site, and start again.",
    denied: (label: string) => `${label} says that you stopped the sign-in. Start again, or sign in another way.`,
    wrong: (label: string) => `The answer of ${label} could not be verified. Start again, or sign in another way.`,
    inactive: "This account is closed. Ask the administrator of your team.",
  },
  /** For who is signed in, and wanted to link an account or to sign in again. */
  signedIn: {
    down: (label: string) => `${label} does not answer at the moment, so nothing was linked. Try again later.`,
    denied: (label: string) => `${label} says that you stopped. Nothing was linked, and you are still signed in.`,
    wrong: (label: string) =>
      `The answer of ${label} could not be verified, so nothing was linked. You are still signed in. Start again.`,
  },
  again: "Sign in",
  unknown: {
    title: (label: string) => `${label} is not linked to an account here`,
    text: (who: string, label: string) => `You are signed in at ${label} as ${who}. Choose how to go on.`,
    passwordTitle: "You have an account here",
    passwordText: (label: string) => `Sign in once with your password. From then on ${label} lets you in.`,
    passwordAction: "Sign in and link",
    invitationTitle: "You have an invitation",
    invitationText: (label: string) => `Open the link in its mail, and continue with ${label} there.`,
    newTitle: "You are new here",
    newText: "Choose a name. A mail with a link confirms your address, then the account is yours.",
    newAction: "Send the link",
    noMail: "This server sends no mail, so it cannot confirm your address. Ask the administrator of your team.",
    closed: "New accounts come by invitation. Ask the administrator of your team for one.",
  },
  create: {
    title: "Create your account",
    text: (email: string, who: string, label: string) => `For ${email}. You will sign in with ${label} as ${who}.`,
    action: "Create the account",
  },
  link: {
    title: (label: string) => `Link ${label}`,
    text: (who: string, label: string, name: string) =>
      `${who} at ${label} will be able to sign in to the account “${name}”.`,
    action: "Link it",
    takenTitle: "This account is in use",
    taken: "It is linked to another account here. Sign in to that one first, and remove it there.",
  },
  sent: { title: "Look into your mail", text: "A mail with a link is on its way. The link works for a day." },
  confirm: {
    title: "Confirm your address",
    text: (email: string, username: string, label: string) =>
      `The account “${username}” with the address ${email} will be created. ${label} signs in to it.`,
    action: "Create the account",
  },
  confirmed: {
    title: "The account was created",
    text: (username: string, label: string) => `Sign in with ${label} to use the account “${username}”.`,
  },
};

const de: typeof en = {
  down: {
    title: (label: string) => `${label} ist nicht erreichbar`,
    text: (label: string) =>
      `${label} antwortet im Augenblick nicht. Versuchen Sie es später wieder, oder melden Sie sich anders an.`,
  },
  refused: {
    title: "Sie sind nicht angemeldet",
    unchanged: "Es wurde nichts geändert",
    lost: "Die Anmeldung dauerte länger als zehn Minuten, oder Ihr Browser hat kein Cookie dafür behalten. Erlauben Sie Cookies für diese Seite, und beginnen Sie neu.",
    denied: (label: string) =>
      `${label} meldet, dass Sie die Anmeldung abgebrochen haben. Beginnen Sie neu, oder melden Sie sich anders an.`,
    wrong: (label: string) =>
      `Die Antwort von ${label} konnte nicht geprüft werden. Beginnen Sie neu, oder melden Sie sich anders an.`,
    inactive: "Dieses Konto ist geschlossen. Fragen Sie die Administration Ihres Teams.",
  },
  signedIn: {
    down: (label: string) =>
      `${label} antwortet im Augenblick nicht, daher wurde nichts verknüpft. Versuchen Sie es später wieder.`,
    denied: (label: string) =>
      `${label} meldet, dass Sie abgebrochen haben. Es wurde nichts verknüpft, und Sie sind weiterhin angemeldet.`,
    wrong: (label: string) =>
      `Die Antwort von ${label} konnte nicht geprüft werden, daher wurde nichts verknüpft. Sie sind weiterhin angemeldet. Beginnen Sie neu.`,
  },
  again: "Anmelden",
  unknown: {
    title: (label: string) => `${label} ist hier mit keinem Konto verknüpft`,
    text: (who: string, label: string) => `Sie sind bei ${label} als ${who} angemeldet. Wählen Sie, wie es weitergeht.`,
    passwordTitle: "Sie haben hier ein Konto",
    passwordText: (label: string) => `Melden Sie sich einmal mit Ihrem Passwort an. Danach meldet ${label} Sie an.`,
    passwordAction: "Anmelden und verknüpfen",
    invitationTitle: "Sie haben eine Einladung",
    invitationText: (label: string) => `Öffnen Sie den Link in der E-Mail, und fahren Sie dort mit ${label} fort.`,
    newTitle: "Sie sind neu hier",
    newText: "Wählen Sie einen Namen. Eine E-Mail mit einem Link bestätigt Ihre Adresse, dann gehört das Konto Ihnen.",
    newAction: "Link senden",
    noMail:
      "Dieser Server sendet keine E-Mails und kann Ihre Adresse nicht bestätigen. Fragen Sie die Administration Ihres Teams.",
    closed: "Neue Konten gibt es auf Einladung. Bitten Sie die Administration Ihres Teams um eine.",
  },
  create: {
    title: "Konto anlegen",
    text: (email: string, who: string, label: string) => `Für ${email}. Sie melden sich mit ${label} als ${who} an.`,
    action: "Konto anlegen",
  },
  link: {
    title: (label: string) => `${label} verknüpfen`,
    text: (who: string, label: string, name: string) =>
      `${who} bei ${label} kann sich dann am Konto „${name}“ anmelden.`,
    action: "Verknüpfen",
    takenTitle: "Dieses Konto wird schon verwendet",
    taken: "Es ist hier mit einem anderen Konto verknüpft. Melden Sie sich zuerst dort an, und entfernen Sie es.",
  },
  sent: {
    title: "Sehen Sie in Ihr Postfach",
    text: "Eine E-Mail mit einem Link ist unterwegs. Der Link gilt einen Tag.",
  },
  confirm: {
    title: "Adresse bestätigen",
    text: (email: string, username: string, label: string) =>
      `Das Konto „${username}“ mit der Adresse ${email} wird angelegt. ${label} meldet Sie daran an.`,
    action: "Konto anlegen",
  },
  confirmed: {
    title: "Das Konto wurde angelegt",
    text: (username: string, label: string) =>
      `Melden Sie sich mit ${label} an, um das Konto „${username}“ zu benutzen.`,
  },
};

/** The words of the pages about signing in with a provider. */
export const providerWords = inSpokenLanguage({ en, de });
