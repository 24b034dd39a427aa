import type { Language } from "../../shared/kernel/languages.schema.ts";

/** A mail. Both bodies say the same. */
export interface Mail {
  /** Constant for a job, so that a mail sent twice can be recognised. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The language of the text. */
  language?: Language;
}

/** The mail server refuses this mail for good: no such mailbox, or its content. */
export class Refused extends Error {}

/** Sends mail. */
export interface Mailer {
  /** @throws Refused for good; any other Error if the caller should try again later. */
  send(mail: Mail): Promise<void>;
  close(): void;
}
