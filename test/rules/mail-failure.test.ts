import { describe, expect, test } from "vitest";
import { type MailCause, mailCause } from "../../renderer/pages/administration/mail-failure.ts";

describe("unsent mail says in plain words what its reason means (issue 17)", () => {
  test.each<[MailCause, string]>([
    ["unreachable", "connect ECONNREFUSED 127.0.0.1:25"],
    ["unreachable", "read ECONNRESET"],
    ["unreachable", "Connection timeout"],
    ["unreachable", "Greeting never received"],
    ["unreachable", "Unexpected socket close"],
    ["unknown_host", "getaddrinfo ENOTFOUND mail.example.org"],
    ["sign_in", "Invalid login: 535 5.7.8 Authentication credentials invalid"],
    ["sign_in", 'Missing credentials for "PLAIN"'],
    ["certificate", "self-signed certificate in certificate chain"],
    ["certificate", "C0F7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number"],
    ["certificate", "Hostname/IP does not match certificate's altnames"],
    ["sender", "Mail command failed: 550 5.7.1 Sender not allowed"],
    ["recipient", "Can't send mail - all recipients were rejected: 550 5.1.1 User unknown"],
    ["recipient", "550 no such user"],
    ["other", "Message failed: 554 Transaction failed"],
  ])("%s: %s", (cause, reason) => expect(mailCause(reason)).toBe(cause));
});
