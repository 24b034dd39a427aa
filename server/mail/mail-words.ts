import type { Trigger } from "../../shared/notifications/notification.presenter.ts";
import { inSpokenLanguage } from "../pages/words.ts";

/** A sentence about an event. @param title in quotation marks. */
type Sentence = (actor: string, title: string) => string;

const en = {
  quoted: (title: string) => `“${title}”`,
  untitled: "Untitled",
  somebody: "Somebody",
  open: "Open the request",
  openRecord: "Open the record",
  noPage: "It has no page any more. Ask an administrator for the reason.",
  many: (count: string, latest: string) => `${count} notifications, the latest: ${latest}`,
  gathered: (count: string) =>
    `This mail has ${count} notifications, the latest first. You get so many that they are sent together, at most once an hour.`,
  more: (count: string) => `Earlier notifications that are not in this mail: ${count}.`,
  sentences: {
    submitted: (actor, title) => `${actor} asks for your review of ${title}`,
    access_asked: (actor, title) => `${actor} asks for access to the files of ${title}`,
    accepted: (actor, title) => `${actor} accepted ${title}`,
    declined: (actor, title) => `${actor} declined ${title}`,
    cancelled: (actor, title) => `${actor} cancelled the request ${title}`,
    commented: (actor, title) => `${actor} commented on ${title}`,
    replied: (actor, title) => `${actor} replied to a comment on ${title}`,
    changes_requested: (actor, title) => `${actor} requests changes to ${title}`,
    review_requested: (actor, title) => `${actor} asks you to look again at ${title}`,
    mentioned: (actor, title) => `${actor} mentioned you in a comment on ${title}`,
    record_deleted: (actor, title) => `${actor} deleted your record ${title}`,
    expired: (_actor, title) => `The request ${title} has expired`,
  } as Record<Trigger, Sentence>,
};

const de: typeof en = {
  quoted: (title) => `„${title}“`,
  untitled: "Ohne Titel",
  somebody: "Jemand",
  open: "Anfrage öffnen",
  openRecord: "Datensatz öffnen",
  noPage: "Er hat keine Seite mehr. Nach dem Grund können Sie die Administration fragen.",
  many: (count, latest) => `${count} Benachrichtigungen, zuletzt: ${latest}`,
  gathered: (count) =>
    `Diese E-Mail fasst ${count} Benachrichtigungen zusammen, die neueste zuerst. Sie bekommen so viele, dass sie gesammelt verschickt werden, höchstens einmal in der Stunde.`,
  more: (count) => `Frühere Benachrichtigungen, die diese E-Mail nicht zeigt: ${count}.`,
  sentences: {
    submitted: (actor, title) => `${actor} bittet um Ihre Begutachtung von ${title}`,
    access_asked: (actor, title) => `${actor} bittet um Zugriff auf die Dateien von ${title}`,
    accepted: (actor, title) => `${actor} hat ${title} angenommen`,
    declined: (actor, title) => `${actor} hat ${title} abgelehnt`,
    cancelled: (actor, title) => `${actor} hat die Anfrage ${title} zurückgezogen`,
    commented: (actor, title) => `${actor} hat ${title} kommentiert`,
    replied: (actor, title) => `${actor} hat auf einen Kommentar zu ${title} geantwortet`,
    changes_requested: (actor, title) => `${actor} wünscht Änderungen an ${title}`,
    review_requested: (actor, title) => `${actor} bittet Sie, ${title} erneut anzusehen`,
    mentioned: (actor, title) => `${actor} hat Sie in einem Kommentar zu ${title} erwähnt`,
    record_deleted: (actor, title) => `${actor} hat Ihren Datensatz ${title} gelöscht`,
    expired: (_actor, title) => `Die Anfrage ${title} ist abgelaufen`,
  },
};

/** The words of mails about requests. */
export const mailWords = inSpokenLanguage({ en, de });
