/** A mail as it leaves: both forms of the body say the same. */
export interface Mail {
  /** Stays with the order: a mail that had to be sent twice is known by it. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The mail server will take this mail neither now nor later: there is no such mailbox, or it does not like the text. */
export class Refused extends Error {}

/** How mail leaves the house. */
export interface Mailer {
  /** @throws Refused for good; any other Error when it could not be handed over now: the caller tries again later. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
