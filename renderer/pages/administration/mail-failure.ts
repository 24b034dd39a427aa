/** What the technical reason of unsent mail means: a key below `administration.mail.cause`. */
export type MailCause = "unreachable" | "unknown_host" | "sign_in" | "certificate" | "recipient" | "sender" | "other";

/** In this order: the words of libraries and mail servers (RFC 5321, RFC 3463), most telling first. */
const causes: [MailCause, RegExp][] = [
  ["unknown_host", /ENOTFOUND|EAI_AGAIN|EDNS/],
  ["certificate", /certificate|\bCERT_|\bssl\b|\btls\b/i],
  [
    "unreachable",
    /ECONN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ESOCKET|EPIPE|timed? ?out|greeting never|(?:connection|socket) close/i,
  ],
  ["sign_in", /EAUTH|invalid login|authenticat|missing credentials|\b(?:530|534|535|538)\b/i],
  ["sender", /mail command failed|sender/i],
  ["recipient", /recipient|no such user|user unknown|mailbox|\b5\.1\.[0-6]\b|\b55[0-3]\b/i],
];

/** What the reason means, as far as it is known. */
export const mailCause = (reason: string): MailCause => causes.find(([, words]) => words.test(reason))?.[0] ?? "other";
