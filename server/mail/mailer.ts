/** A mail as it leaves: both forms of the body say the same. */
export interface Mail {
  /** Stays with the order: a mail that had to be sent twice is known by it. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** How mail leaves the house. */
export interface Mailer {
  /** @throws Error when it could not be handed over; the caller tries again later. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
