import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Response } from "express";
import { afterEach, describe, expect, test } from "vitest";
import english from "../../renderer/locales/refusals.en.json" with { type: "json" };
import { setRefusals, translateRefusal } from "../../renderer/locales/refusals.ts";
import { problemIn, problemOf } from "../../server/accounts/form-pages.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import german from "../../shared/kernel/refusals.de.json" with { type: "json" };
import { inLanguage } from "../../shared/kernel/spoken-language.ts";
import { messages } from "../../shared/metadata/field.schema.ts";
import { newUser } from "../../shared/users/user.schema.ts";
import { repository } from "../support/run.ts";

/** Folders and files whose refusals the app shows. Others answer programs and operators. */
const shownIn = [
  ...["access", "access-requests", "accounts", "administration", "blobs", "collections", "comments", "desk", "drafts"],
  ...["files", "groups", "lookup", "metadata", "requests", "second-factor", "tokens", "users"],
]
  .map((folder) => `shared/${folder}`)
  .concat(["main/upstreams/invenio/write", "server/backups"]);
const alsoShown = [
  ...["server/load-shedding.ts", "server/page-costs.ts", "server/rate-limit.ts", "shared/kernel/body.ts"],
  ...["shared/kernel/body-budget.ts", "shared/kernel/data-folder.ts", "shared/kernel/every-answer.ts"],
  ...[
    "bytes.ts",
    "file-paths.ts",
    "handed-on.ts",
    "open-object.ts",
    "pass-call.ts",
    "pass-change.ts",
    "passed-changes.ts",
    "welcome.ts",
  ].map((name) => `main/upstreams/invenio/${name}`),
  ...["main/replica/upstream-files.ts", "main/sync/connect.ts"],
  ...["server/upkeep/backup.service.ts", "shared/files/file.lifecycle.ts", "shared/records/deletion.service.ts"],
];

const textsIn = (folder: string): string[] =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(repository, folder, name), "utf8"));

/** Messages that only programs get, and the beginning of three messages that are composed. */
const forPrograms =
  /^(This is no record id|A value such as|Invalid review type|There is no \{\} '|The id \$\{taken[.]join|Invalid '|The headers? '|Unable to decode|There is no such shelf|The \{\} ')/;

/** A message as the catalogue has it: each part that varies is `{}`. */
const keyOf = (literal: string): string => literal.replace(/\$\{[^}]*\}/g, "{}");

const refusal =
  /(?:new Failure\(\s*"\w+",|refused\(\s*\d+,|invalidField\([^,]*,|notFound\()\s*["`]([A-Z$“][^"`]*)["`]/g;

describe("refusals in German and in plain English (issue 17.10)", () => {
  afterEach(() => setRefusals({}));

  test("each message that the app's user meets has a translation", () => {
    const found = shownIn
      .flatMap(textsIn)
      .concat(alsoShown.map((name) => readFileSync(join(repository, name), "utf8")))
      .flatMap((text) => [...text.matchAll(refusal)]);
    const all = new Set([...found.map(([, literal = ""]) => keyOf(literal)), ...Object.values(messages)]);
    expect(all.size).toBeGreaterThan(50);
    expect([...all].filter((key) => !Object.hasOwn(german, key) && !forPrograms.test(key))).toEqual([]);
  });

  test("each message of the catalogue is used in the sources", () => {
    const sources = ["shared", "main", "server"].flatMap(textsIn).map(keyOf).join("\n");
    // "The server is needed for this, and …" is composed of two.
    const isUsed = (key: string) =>
      sources.includes(key) || key.split(", and ").every((part) => sources.includes(part));
    expect(Object.keys(german).filter((key) => !isUsed(key))).toEqual([]);
  });

  test("a translation has as many varying parts as its message, or none, or names one by its number", () => {
    const parts = (text: string) => text.match(/\{~?\}/g)?.length ?? 0;
    const fits = ([key, text]: [string, string]) => [0, parts(key)].includes(parts(text));
    const all = [...Object.entries(german), ...Object.entries(english)];
    expect(all.filter((entry) => !fits(entry))).toEqual([]);
    const highest = (text: string) =>
      Math.max(0, ...[...text.matchAll(/\{(\d)~?\}/g)].map(([, number]) => Number(number)));
    expect(all.filter(([key, text]) => highest(text) > parts(key))).toEqual([]);
  });

  test("what varies is translated where it is a reason or a state, not where it is a name", () => {
    setRefusals(german);
    for (const [english, translation] of [
      ["Error for action 'accept': the request is declined.", "Das geht nicht: Die Anfrage ist abgelehnt."],
      ["The request is already locked.", "Die Anfrage ist schon gesperrt."],
      ["There is no group 'locked'.", "Die Gruppe „locked“ gibt es nicht."],
      [
        "Invalid file content for file 'accepted': the table of contents is damaged.",
        "Der Inhalt der Datei „accepted“ ist ungültig: Das Inhaltsverzeichnis ist beschädigt.",
      ],
      [
        "The look-up failed: api.example.org answered 500.",
        "Das Nachschlagen ist gescheitert: api.example.org antwortete 500.",
      ],
    ] as const)
      expect(translateRefusal(english)).toBe(translation);
    const waits = "It waits for what was refused before: Publish “Ice”.";
    expect(translateRefusal(waits, () => "„Ice“ veröffentlichen")).toBe(
      "Es wartet auf etwas, das abgelehnt wurde: „Ice“ veröffentlichen.",
    );
  });

  test("a prescribed text in the words of programs has plain words in English too, and these have none of them", () => {
    const ofPrograms =
      /\b(?:bucket|key|PIDs?|schemes?|null|boolean|string|integer|datetime|role|committed|metadata-only|validation|free text|input type|max amount)\b|\['|action '|[a-z]\/[a-z]/;
    const lacking = Object.keys(german).filter((key) => ofPrograms.test(key) && !Object.hasOwn(english, key));
    expect(lacking).toEqual([]);
    expect(Object.keys(english).filter((key) => !Object.hasOwn(german, key))).toEqual([]);
    expect(Object.values(english).filter((text) => ofPrograms.test(text))).toEqual([]);
    setRefusals(english);
    expect(translateRefusal("File with key core.csv already exists.")).toBe(
      "There is already a file with the name core.csv.",
    );
    expect(translateRefusal("Error for action 'accept': the request is declined.")).toBe(
      "This is not possible: the request is declined.",
    );
    expect(translateRefusal("Permission denied.")).toBe("Permission denied.");
  });

  test("a file that was removed elsewhere is named, and the id of its record is not (issue 17)", () => {
    for (const [catalogue, first, second] of [
      [english, "There is no file core.jpg here.", "There is no file core.jpg any more."],
      [german, "Die Datei core.jpg gibt es hier nicht.", "Die Datei core.jpg gibt es nicht mehr."],
    ] as const) {
      setRefusals(catalogue);
      expect(translateRefusal("Record '653gd-4kh38' has no file 'core.jpg'.")).toBe(first);
      expect(translateRefusal('File with key "core.jpg" does not exist')).toBe(second);
    }
  });

  test("parts are carried over; an unknown message stays; without a catalogue all stay", () => {
    expect(translateRefusal("Permission denied.")).toBe("Permission denied.");
    setRefusals(german);
    expect(translateRefusal("Permission denied.")).toBe("Das ist Ihnen nicht erlaubt.");
    expect(translateRefusal("Invalid file content for file 'a.zip': no directory.")).toBe(
      "Der Inhalt der Datei „a.zip“ ist ungültig: no directory.",
    );
    expect(translateRefusal("There is no group '$& {}'.")).toBe("Die Gruppe „$& {}“ gibt es nicht.");
    expect(translateRefusal("Something new.")).toBe("Something new.");
  });

  test("the server's forms show refusals in the language of the page (issue 18: German forms)", () => {
    const taken = new Failure("invalid", "A validation error occurred.", {
      problems: [{ field: "username", messages: ["The username 'ada' is in use already."] }],
    });
    const wrong = newUser.safeParse({ username: "a b", email: "ada@example.org" });
    const answer = {} as Response;
    const shown = () => [problemOf(answer, taken).problem, wrong.error && problemIn(wrong.error)];
    expect(inLanguage("de", shown)).toEqual([
      { field: "username", message: "Der Benutzername „ada“ wird schon verwendet." },
      { field: "username", message: "Erlaubt sind Buchstaben, Ziffern und Zeichen, ohne Leerzeichen und @." },
    ]);
    expect(inLanguage("en", shown)[0]).toEqual({ field: "username", message: "The username 'ada' is in use already." });
  });
});
