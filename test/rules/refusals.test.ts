import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import german from "../../renderer/locales/refusals.de.json" with { type: "json" };
import { setRefusals, translateRefusal } from "../../renderer/locales/refusals.ts";
import { messages } from "../../shared/metadata/field.schema.ts";
import { repository } from "../support/run.ts";

/** Folders whose refusals the app shows. Others answer programs and operators. */
const shownIn = ["access", "access-requests", "comments", "drafts", "groups", "metadata", "requests", "second-factor"];

const textsIn = (folder: string): string[] =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(repository, folder, name), "utf8"));

/** Messages that only programs get, and the beginning of two messages that are composed. */
const forPrograms =
  /^(This is no record id|A value such as|Invalid review type|There is no \$\{type === |The id \$\{taken[.]join)/;

/** A message as the catalogue has it: each part that varies is `{}`. */
const keyOf = (literal: string): string => literal.replace(/\$\{[^}]*\}/g, "{}");

const refusal = /(?:new Failure\(\s*"\w+",|invalidField\([^,]*,)\s*["`]([A-Z][^"`]*)["`]/g;

describe("refusals in German (issue 17.10)", () => {
  afterEach(() => setRefusals({}));

  test("each message that the app's user meets has a translation", () => {
    const found = shownIn
      .flatMap((folder) => textsIn(`shared/${folder}`))
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

  test("a translation has as many varying parts as its message, or none", () => {
    const parts = (text: string) => text.split("{}").length - 1;
    const fits = ([key, text]: [string, string]) => [0, parts(key)].includes(parts(text));
    expect(Object.entries(german).filter((entry) => !fits(entry))).toEqual([]);
  });

  test("parts are carried over; an unknown message stays; in English all stay", () => {
    expect(translateRefusal("Permission denied.")).toBe("Permission denied.");
    setRefusals(german);
    expect(translateRefusal("Permission denied.")).toBe("Das ist Ihnen nicht erlaubt.");
    expect(translateRefusal("Invalid file content for file 'a.zip': no directory.")).toBe(
      "Der Inhalt der Datei „a.zip“ ist ungültig: no directory.",
    );
    expect(translateRefusal("There is no group '$& {}'.")).toBe("Die Gruppe „$& {}“ gibt es nicht.");
    expect(translateRefusal("Something new.")).toBe("Something new.");
  });
});
