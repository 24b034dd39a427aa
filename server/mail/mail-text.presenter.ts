// Mails in the server's name quote text of users. A quotation is short, stays in its line, and becomes no link in a mail
// program.

const maxInLine = 160;
const maxOfQuote = 2000;

/** Control, formatting and separating characters, which start lines or hide text. */
const breaking = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
/** Where a mail program sees an address of the web: a scheme, `www.`, or a host that a path follows. */
const schemes = /([a-z][a-z0-9+.-]*):\/\//gi;
const hostsWithPath = /\b(?:www\.[\w.-]+|[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.[a-z]{2,}(?=[/?#:]\S))/giu;
const hosts = /(?<![@\w.-])[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.[a-z]{2,}\b(?!@)/giu;

const withoutDots = (host: string): string => host.replaceAll(".", "[.]");

function shortened(text: string, most: number): string {
  const letters = [...text];
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

const inLine = (text: string): string => shortened(text.toWellFormed().replace(breaking, " ").trim(), maxInLine);

/** A title: one line, without links. */
export const titleInMail = (title: string): string =>
  inLine(title.replace(hostsWithPath, withoutDots).replace(schemes, "$1: "));

/** The name of a person or an account. No part of it is a host, which would read as an address of ours. */
export const nameInMail = (name: string): string => inLine(name.replace(schemes, "$1: ").replace(hosts, withoutDots));

/** A comment, which the recipient may read in full at the server. */
export const quoteInMail = (comment: string): string => shortened(comment.toWellFormed(), maxOfQuote);
