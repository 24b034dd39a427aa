import type { Trigger } from "../../shared/notifications/notification.presenter.ts";
import { inSpokenLanguage } from "../pages/words.ts";

export type Topic = "confirm" | Trigger;

/** What a mail says, and the words of its link. @param title in quotation marks. */
type Sentence = (title: string) => [sentence: string, action: string];

const en = {
  sentences: {
    confirm: (title) => [`Confirm that you ask for access to ${title}`, "Send the request"],
    accepted: (title) => [`You have access to ${title}`, "Open the record"],
    declined: (title) => [`Your request for access to ${title} was declined`, "See your request"],
    cancelled: (title) => [`Your request for access to ${title} was withdrawn`, "See your request"],
    expired: (title) => [`Your request for access to ${title} has expired`, "See your request"],
  } as Partial<Record<Topic, Sentence>>,
  commented: ((title) => [`A comment on your request for access to ${title}`, "See your request"]) as Sentence,
  toConfirm: (site: string) =>
    `Somebody gave your address to ask for access at ${site}. If it was not you, ignore this mail.`,
  until: (day: string) => `The link works until ${day}.`,
  reason: (site: string) => `You asked for it at ${site}.`,
};

const de: typeof en = {
  sentences: {
    confirm: (title) => [`Bestätigen Sie Ihre Bitte um Zugriff auf ${title}`, "Anfrage senden"],
    accepted: (title) => [`Sie haben Zugriff auf ${title}`, "Datensatz öffnen"],
    declined: (title) => [`Ihre Bitte um Zugriff auf ${title} wurde abgelehnt`, "Anfrage ansehen"],
    cancelled: (title) => [`Ihre Bitte um Zugriff auf ${title} wurde zurückgezogen`, "Anfrage ansehen"],
    expired: (title) => [`Ihre Bitte um Zugriff auf ${title} ist abgelaufen`, "Anfrage ansehen"],
  },
  commented: (title) => [`Ein Kommentar zu Ihrer Bitte um Zugriff auf ${title}`, "Anfrage ansehen"],
  toConfirm: (site) =>
    `Jemand hat mit Ihrer Adresse bei ${site} um Zugriff gebeten. Wenn Sie es nicht waren, beachten Sie diese E-Mail nicht.`,
  until: (day) => `Der Link gilt bis ${day}.`,
  reason: (site) => `Sie haben bei ${site} darum gebeten.`,
};

/** The words of mails to guests. */
export const guestMailWords = inSpokenLanguage({ en, de });
