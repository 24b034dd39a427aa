import i18next, { type TFunction } from "i18next";
import { expect, test } from "vitest";
import de from "../../renderer/locales/de.json" with { type: "json" };
import en from "../../renderer/locales/en.json" with { type: "json" };
import { operationWords } from "../../renderer/pages/sync/operation-words.ts";

async function textsOf(language: string, translation: object): Promise<TFunction> {
  const texts = i18next.createInstance();
  await texts.init({
    lng: language,
    resources: { [language]: { translation } },
    interpolation: { escapeValue: false },
  });
  return texts.t;
}

test("what was sent and what waits is named in German too, whatever the title or the file (app, words; reviewer day)", async () => {
  const t = await textsOf("de", de);
  for (const [title, german] of [
    ["Request changes to “Salinity”", "Änderungen an „Salinity“ wünschen"],
    ["Edit a comment on “Edit “this” & <that>”", "Kommentar zu „Edit “this” & <that>“ bearbeiten"],
    ["Edit an untitled draft", "Entwurf ohne Titel bearbeiten"],
    ["Lock a request", "Unterhaltung zu Anfrage sperren"],
    ["Add 3 files to “Ice”", "3 Dateien zu „Ice“ hinzufügen"],
    ["Add 3 files.txt to “Ice”", "3 files.txt zu „Ice“ hinzufügen"],
    ["Remove all files from “Ice”", "Alle Dateien aus „Ice“ entfernen"],
    ["Remove “scan.tiff”", "„scan.tiff“ entfernen"],
    ["Choose a reviewer", "Gutachter:in wählen"],
    ["What a newer host says “Ice”", "What a newer host says “Ice”"],
  ] as const)
    expect(operationWords(t, title)).toBe(german);
});

test("each English title is read back as itself (app, words)", async () => {
  const t = await textsOf("en", en);
  for (const text of Object.values(en.sync.did)) {
    const title = text.replace("{{title}}", "“A title”").replace("{{name}}", "a.csv").replace("{{number}}", "12");
    expect(operationWords(t, title)).toBe(title);
  }
});
