/** A mail as it leaves: both forms of the body say the same. */
export interface Mail {
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
