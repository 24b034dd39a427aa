import { inSpokenLanguage } from "../pages/words.ts";

const en = {
  kind: "Access",
  notSent: "Your request was not sent",
  recordGone: "The record was deleted meanwhile.",
  recordClosed: "The record is not public any more.",
  title: (record: string) => `Ask for access to the files of “${record}”`,
  text: "The owner of the record reads your request and decides.",
  signIn: "If you have an account, sign in first.",
  conditions: "Conditions",
  name: "Your name",
  email: "Email address",
  message: "Message to the owner",
  consent: "The owner may see my name and my address.",
  action: "Send the request",
  limited: "Too many requests came from your network. Try again later.",
  closed: "The owner does not take requests for access.",
  signedOut: "You are signed out, and nothing was sent. Copy your message before you sign in again.",
  ownerGone: "The account of the owner is closed, so nobody can decide. Write to us instead: see “Contact” below.",
  closedForGuests: "The owner takes requests from people with an account. Sign in to ask.",
  noMail: "This server sends no mail, so only people with an account can ask.",
  hasAccess: "You already have access to the files of this record.",
  toRecord: "Go to the record",
  mailed: {
    title: "Confirm your address",
    text: "We sent you a mail with a link. Your request reaches the owner after you open it. It works for six hours.",
  },
  sent: { title: "Your request was sent", text: "The owner was told. You find the decision under your requests." },
  asked: { title: "You have asked already", text: "The owner has not decided yet." },
  toRequest: "See your request",
  confirm: {
    title: "Send your request",
    text: (email: string) => `Your request for access to this record is sent in the name of ${email}.`,
  },
  states: {
    submitted: ["The owner has not decided yet", "You get a mail as soon as there is a decision."],
    accepted: ["You have access", "The link below opens the record with its files. Everybody who has it can use it."],
    ended: ["Your access has ended", "The link that you got has ended. You can ask again on the page of the record."],
    declined: ["The owner declined your request", "You get no access to the files."],
    cancelled: ["You withdrew your request", "The owner was told."],
    expired: ["Your request has expired", "The owner did not decide in time."],
  } as Record<string, [title: string, text: string]>,
  until: (day: string) => `It works until ${day}.`,
  openFiles: "Open the record",
  withdraw: "Withdraw the request",
  over: {
    title: "This link has ended",
    text: "Links to confirm an address work for six hours. Ask again on the page of the record.",
  },
};

const de: typeof en = {
  kind: "Zugriff",
  notSent: "Ihre Anfrage wurde nicht gesendet",
  recordGone: "Der Datensatz wurde inzwischen gelöscht.",
  recordClosed: "Der Datensatz ist nicht mehr öffentlich.",
  title: (record: string) => `Um Zugriff auf die Dateien von „${record}“ bitten`,
  text: "Die Eigentümerin oder der Eigentümer des Datensatzes liest Ihre Anfrage und entscheidet.",
  signIn: "Wenn Sie ein Konto haben, melden Sie sich zuerst an.",
  conditions: "Bedingungen",
  name: "Ihr Name",
  email: "E-Mail-Adresse",
  message: "Nachricht an die Eigentümerin oder den Eigentümer",
  consent: "Mein Name und meine Adresse dürfen dafür gezeigt werden.",
  action: "Anfrage senden",
  limited: "Aus Ihrem Netz kamen zu viele Anfragen. Versuchen Sie es später wieder.",
  closed: "Für diesen Datensatz werden keine Anfragen angenommen.",
  signedOut:
    "Sie sind abgemeldet, und es wurde nichts gesendet. Kopieren Sie Ihre Nachricht, bevor Sie sich wieder anmelden.",
  ownerGone:
    "Das Konto der Person, der dieser Datensatz gehört, ist geschlossen. Es kann niemand entscheiden. Schreiben Sie uns, siehe „Kontakt“ unten.",
  closedForGuests: "Anfragen sind nur mit einem Konto möglich. Melden Sie sich an, um zu fragen.",
  noMail: "Dieser Server sendet keine E-Mails, daher können nur Personen mit einem Konto fragen.",
  hasAccess: "Sie haben schon Zugriff auf die Dateien dieses Datensatzes.",
  toRecord: "Zum Datensatz",
  mailed: {
    title: "Adresse bestätigen",
    text: "Wir haben Ihnen eine E-Mail mit einem Link gesendet. Ihre Anfrage wird zugestellt, wenn Sie ihn öffnen. Er gilt sechs Stunden.",
  },
  sent: {
    title: "Ihre Anfrage wurde gesendet",
    text: "Sie wurde zugestellt. Die Entscheidung finden Sie unter Ihren Anfragen.",
  },
  asked: { title: "Sie haben schon gefragt", text: "Es ist noch nicht entschieden." },
  toRequest: "Anfrage ansehen",
  confirm: {
    title: "Anfrage senden",
    text: (email: string) => `Ihre Anfrage um Zugriff auf diesen Datensatz wird im Namen von ${email} gesendet.`,
  },
  states: {
    submitted: ["Es ist noch nicht entschieden", "Sie erhalten eine E-Mail, sobald es eine Entscheidung gibt."],
    accepted: [
      "Sie haben Zugriff",
      "Der Link unten öffnet den Datensatz mit seinen Dateien. Wer ihn hat, kann ihn verwenden.",
    ],
    ended: [
      "Ihr Zugriff ist beendet",
      "Der Link, den Sie erhalten haben, gilt nicht mehr. Sie können auf der Seite des Datensatzes wieder fragen.",
    ],
    declined: ["Ihre Anfrage wurde abgelehnt", "Sie erhalten keinen Zugriff auf die Dateien."],
    cancelled: ["Sie haben Ihre Anfrage zurückgezogen", "Das wurde mitgeteilt."],
    expired: ["Ihre Anfrage ist abgelaufen", "Es wurde nicht rechtzeitig entschieden."],
  },
  until: (day) => `Er gilt bis ${day}.`,
  openFiles: "Datensatz öffnen",
  withdraw: "Anfrage zurückziehen",
  over: {
    title: "Dieser Link ist abgelaufen",
    text: "Links zur Bestätigung einer Adresse gelten sechs Stunden. Fragen Sie auf der Seite des Datensatzes wieder.",
  },
};

/** The words of the pages about requests for access. */
export const accessWords = inSpokenLanguage({ en, de });
