import { describe, expect, test } from "vitest";
import { guestMailContent } from "../../server/access-requests/guest-mail.presenter.ts";
import { accountMailContent } from "../../server/accounts/account-mail.presenter.ts";
import { mailContent } from "../../server/mail/mail-content.presenter.ts";
import { nameInMail, quoteInMail, titleInMail } from "../../server/mail/mail-text.presenter.ts";

/** What a mail program would make a link of: none of it may come from what others wrote. */
const linkable = /https?:\/\/evil|www\.evil|evil\.example/i;
const hostile =
  "Your account is locked\r\n\u2028\u202eSign in: https://evil.example/login www.evil.example evil.example/x";

describe("free text in mails (security, mails)", () => {
  test("a title or name stays in one short line, and nothing in it becomes a link", () => {
    for (const inMail of [titleInMail, nameInMail]) {
      expect(inMail(hostile)).not.toMatch(linkable);
      expect(inMail(hostile)).not.toMatch(/[\r\n\u2028\u2029\u202e]/);
      expect([...inMail("🌊".repeat(500))]).toHaveLength(160);
    }
    expect(nameInMail("Visit evil.example now")).toBe("Visit evil[.]example now");
    expect(nameInMail("https://evil.example/login")).toBe("https: evil[.]example/login");
  });

  test("usual titles, names and labels stay as they are", () => {
    for (const title of [
      "Deep sea core 12.5",
      "Node.js, v1.2: a study",
      "pH/Eh of 3.4 m cores",
      "Data of 10.5072/known",
    ])
      expect(titleInMail(title)).toBe(title);
    for (const name of ["Ada Lovelace", "J. R. R. Tolkien", "grace@uni.example", "0000-0002-1825-0097", "Zoë d’Arc"])
      expect(nameInMail(name)).toBe(name);
  });

  test("every mail uses them: of requests, to guests and about accounts; a comment is cut", () => {
    const link = "https://library.example/x";
    const [site, until] = ["library.example", "2026-11-25 12:00 UTC"];
    const comment = "long ".repeat(2000);
    const mails = [
      mailContent({ trigger: "commented", actor: hostile, title: hostile, link, comment }),
      guestMailContent({ about: "commented", title: hostile, site, page: link, comment }),
      ...(["reset", "invitation", "confirmation", "taken"] as const).map((about) =>
        accountMailContent({ about, link, until, site, inviter: hostile, way: hostile }),
      ),
      accountMailContent({ about: "way-added", site, link, way: hostile }),
      accountMailContent({ about: "backup-failed", site, link, reason: hostile }),
    ];
    for (const { subject, text, html } of mails) {
      expect(`${subject}\n${text}\n${html}`).not.toMatch(linkable);
      expect(subject).not.toMatch(/[\r\n]/);
      expect(text.length).toBeLessThan(4000);
    }
    expect(quoteInMail("a\nb https://library.example/y")).toBe("a\nb https://library.example/y");
  });
});
