import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import app from "../../renderer/locales/de.json" with { type: "json" };
import refusals from "../../shared/kernel/refusals.de.json" with { type: "json" };
import { listShippedEntries } from "../../shared/vocabularies/shipped-entries.ts";
import { repository } from "../support/run.ts";

/** Names that the German texts must not use, and the one name of the thing. */
const otherNames: Readonly<Record<string, RegExp>> = {
  Administration: /Administrator/,
  Datenträger: /Festplatte/,
  "die DOI": /\b(?:Der|Ein|ein|einen|registrierter) DOI\b/,
  "E-Mail": /(?<!E-)\bMails?\b/,
  Gutachter_in: /Gutachter(?!:in)/,
  Identifikator: /(?<!ROR-)Kennung/,
  Kontingent: /Speichergrenze/,
  optional: /freiwillig/i,
  Synchronisierung: /[Ss]ynchronisieren\b/,
  Unterhaltung: /Gespräch/,
  Urheber_in: /\bUrheber\b(?!:in)/,
  "Verlag oder Herausgeber": /Verlag(?! oder Herausgeber)|(?<!Verlag oder )Herausgeber(?!:in)/,
  Zugriff: /Zugang|Zugänge/,
  ":in for people of any gender": /[a-zß][/*_]in(?:nen)?\b/,
};

function textsIn(value: object): string[] {
  return Object.values(value).flatMap((one) => (typeof one === "string" ? [one] : textsIn(one)));
}

/** The German words of the server's pages and mails: the lines after `const de` in files of words. */
const serverLines = readdirSync(join(repository, "server"), { recursive: true, encoding: "utf8" })
  .filter((name) => /words[^/]*\.ts$|words\/de\.ts$/.test(name))
  .map((name) => readFileSync(join(repository, "server", name), "utf8").split(/const de\b/)[1] ?? "")
  .flatMap((text) => text.split("\n"));

/** The German titles of the vocabularies with few entries. */
const titles = (["contributorsroles", "creatorsroles", "datetypes", "relationtypes", "removalreasons"] as const)
  .flatMap(listShippedEntries)
  .map(({ title }) => title?.de ?? "");

const texts = [...textsIn(app), ...Object.values(refusals), ...serverLines, ...titles];

describe("one thing has one name in German (issue 17)", () => {
  test("the app, its refusals, vocabularies, the public pages and mails use the same names", () => {
    expect(serverLines.length).toBeGreaterThan(300);
    const found = Object.entries(otherNames).flatMap(([name, other]) =>
      texts.filter((text) => other.test(text)).map((text) => `${name}: ${text.trim()}`),
    );
    expect(found).toEqual([]);
  });

  test("a record is a Datensatz in refusals, too", () => {
    const aboutRecords = Object.entries(refusals).filter(([english]) => /\brecords?\b/i.test(english));
    expect(aboutRecords.length).toBeGreaterThan(5);
    expect(aboutRecords.filter(([, german]) => /Eintr[aä]g/.test(german))).toEqual([]);
  });
});
