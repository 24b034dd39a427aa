import { describe, expect, test } from "vitest";
import { guestMailContent } from "../../server/access-requests/guest-mail.ts";
import { accountMailContent } from "../../server/accounts/account-mail.ts";
import { mailContent } from "../../server/mail/mail-content.ts";
import { mailLanguage } from "../../server/mail/mail-language.ts";
import { nameInMail, quoteInMail, titleInMail } from "../../server/mail/mail-text.presenter.ts";
import { inLanguage } from "../../shared/kernel/spoken-language.ts";

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
      accountMailContent({ about: "way-removed", site, link, way: hostile }),
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

describe("mails in German (issue 18, languages)", () => {
  const [site, link, until] = ["library.example", "https://library.example/x", "2026-11-25 12:00 UTC"];
  const inGerman = <T>(work: () => T): T => inLanguage("de", work);
  const english = /\b(the|your|you|request|mail was|asked|has|not)\b/i;
  const subjectsOf = (mails: { subject: string; text: string; html: string }[]) =>
    mails.map(({ subject, text, html }) => {
      expect(`${text}\n${html.replaceAll(link, "")}`.replaceAll(link, "")).not.toMatch(english);
      return subject;
    });

  test("of requests: each trigger has its sentence", () => {
    const facts = { actor: "Ada", title: "Kerne", link, comment: "Gut" };
    const triggers = [
      ...(["submitted", "access_asked", "accepted", "declined", "cancelled", "commented", "replied"] as const),
      ...(["changes_requested", "review_requested", "mentioned", "record_deleted", "expired"] as const),
    ];
    expect(subjectsOf(inGerman(() => triggers.map((trigger) => mailContent({ ...facts, trigger }))))).toEqual([
      "Ada bittet um Ihre Begutachtung von „Kerne“",
      "Ada bittet um Zugriff auf die Dateien von „Kerne“",
      "Ada hat „Kerne“ angenommen",
      "Ada hat „Kerne“ abgelehnt",
      "Ada hat die Anfrage „Kerne“ zurückgezogen",
      "Ada hat „Kerne“ kommentiert",
      "Ada hat auf einen Kommentar zu „Kerne“ geantwortet",
      "Ada wünscht Änderungen an „Kerne“",
      "Ada bittet Sie, „Kerne“ erneut anzusehen",
      "Ada hat Sie in einem Kommentar zu „Kerne“ erwähnt",
      "Ada hat Ihren Datensatz „Kerne“ gelöscht",
      "Die Anfrage „Kerne“ ist abgelaufen",
    ]);
    const removal = { ...facts, trigger: "record_deleted", comment: undefined } as const;
    expect(inGerman(() => mailContent(removal)).text).toContain(`Datensatz öffnen: ${link}`);
    const noPage = "Er hat keine Seite mehr. Nach dem Grund können Sie die Administration fragen.";
    expect(inGerman(() => mailContent({ ...removal, link: undefined }))).toMatchObject({
      text: `Ada hat Ihren Datensatz „Kerne“ gelöscht.\n\n${noPage}\n`,
      html: `<p>Ada hat Ihren Datensatz „Kerne“ gelöscht.</p>\n<p>${noPage}</p>`,
    });
    expect(inGerman(() => mailContent({ ...facts, trigger: "commented" })).text).toContain(`Anfrage öffnen: ${link}`);
  });

  test("to guests: each topic has its sentence", () => {
    const facts = { title: "Kerne", site, page: link };
    const topics = ["confirm", "accepted", "declined", "cancelled", "expired", "commented"] as const;
    expect(subjectsOf(inGerman(() => topics.map((about) => guestMailContent({ ...facts, about }))))).toEqual([
      "Bestätigen Sie Ihre Bitte um Zugriff auf „Kerne“",
      "Sie haben Zugriff auf „Kerne“",
      "Ihre Bitte um Zugriff auf „Kerne“ wurde abgelehnt",
      "Ihre Bitte um Zugriff auf „Kerne“ wurde zurückgezogen",
      "Ihre Bitte um Zugriff auf „Kerne“ ist abgelaufen",
      "Ein Kommentar zu Ihrer Bitte um Zugriff auf „Kerne“",
    ]);
    const until = (day: string | null) =>
      inGerman(() => guestMailContent({ ...facts, about: "accepted", access: { address: link, until: day } }));
    subjectsOf([until("2026-12-30")]);
    expect(until("2026-12-30").text).toContain("Der Link gilt bis 30. Dezember 2026.");
    expect(until(null).text).not.toContain("gilt bis");
  });

  test("about accounts: each kind has its words", () => {
    const account = inGerman(() => [
      ...(["reset", "invitation", "confirmation", "taken"] as const).map((about) =>
        accountMailContent({ about, link, until, site, inviter: "Ada", way: "ada@uni.example" }),
      ),
      accountMailContent({ about: "changed", site, link }),
      accountMailContent({ about: "way-added", site, link, way: "ada@uni.example" }),
      accountMailContent({ about: "way-removed", site, link, way: "ada@uni.example" }),
      accountMailContent({ about: "second-factor", site, link, isOn: true }),
      accountMailContent({ about: "second-factor", site, link, isOn: false }),
      accountMailContent({ about: "backup-failed", site, link, reason: "EIO" }),
    ]);
    expect(subjectsOf(account)).toEqual([
      "Ein neues Passwort für library.example",
      "Sie sind zu library.example eingeladen",
      "Bestätigen Sie Ihre Adresse für library.example",
      "Sie haben ein Konto bei library.example",
      "Ihr Passwort bei library.example wurde geändert",
      "Eine Anmeldung bei library.example kam hinzu",
      "Eine Anmeldung bei library.example wurde entfernt",
      "Der zweite Faktor Ihres Kontos bei library.example wurde eingerichtet",
      "Der zweite Faktor Ihres Kontos bei library.example wurde entfernt",
      "Die Sicherung von library.example ist fehlgeschlagen",
    ]);
  });

  test("the language is what the recipient chose, then that of the page they used, then the first of the site", () => {
    const settings = (languages?: ("en" | "de")[]) => ({ site: { name: "Sea", ...(languages ? { languages } : {}) } });
    const prefers = (language?: string) => ({ preferences: JSON.stringify({ language }) });
    expect(mailLanguage(settings(["de"]), prefers("en"), "de")).toBe("en");
    expect(mailLanguage(settings(), prefers(), "de")).toBe("de");
    expect(mailLanguage(settings(["de", "en"]), prefers())).toBe("de");
    expect(mailLanguage(settings(), undefined, "xx")).toBe("en");
  });
});
