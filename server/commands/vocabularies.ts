import { statSync } from "node:fs";
import { claimForServer } from "../../shared/database/library.ts";
import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { vocabularyTypes } from "../../shared/vocabularies/vocabulary.schema.ts";
import { importVocabulary } from "../../shared/vocabularies/vocabulary-import.service.ts";

import { openRows } from "../open-rows.ts";
import { beginDataFolder, recordConsoleEvent } from "../with-services.ts";

const progressEveryMs = 2000;

/** Reports progress on stderr during a long import. */
function progressTo(stream: NodeJS.WriteStream): (count: number) => void {
  let last = Date.now();
  return (count) => {
    if (Date.now() - last < progressEveryMs) return;
    last = Date.now();
    stream.write(`${count} rows\n`);
  };
}

async function importFile(data: string, typeName: string | undefined, file: string | undefined): Promise<void> {
  const type = vocabularyTypes.find((known) => known === typeName);
  if (type === undefined) throw new UsageError(`TYPE must be one of ${vocabularyTypes.join(", ")}.`);
  if (file === undefined) throw new UsageError("FILE is missing.");
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Failure("not_found", `There is no file ${file}.`);
  const database = await openRows(beginDataFolder(data));
  const { now } = machineEnvironment();
  let imported = { added: 0, updated: 0, refused: 0 };
  const showProgress = progressTo(process.stderr);
  try {
    await claimForServer(database.db, data);
    imported = await importVocabulary({
      db: database.db,
      type,
      file,
      now,
      onRefused: (line, reason) => process.stderr.write(`line ${line}: ${reason}\n`),
      onUnknownColumn: (line, column) =>
        process.stderr.write(`line ${line}: The vocabulary has no column '${column}'. Its values are not imported.\n`),
      onProgress: ({ added, updated, refused }) => showProgress(added + updated + refused),
    });
  } finally {
    await database.close();
  }
  await recordConsoleEvent(data, {
    action: "vocabulary.import",
    object: { type: "vocabulary", id: type },
    details: { ...imported },
  });
  printJson({ type, ...imported });
  const { added, updated, refused } = imported;
  if (refused > 0 && added + updated === 0)
    throw new Failure("invalid", "Every row was refused. Nothing was imported.");
}

/** `carrel vocabularies import`: imports entries of a vocabulary. */
export const vocabulariesCommand: CliCommand = {
  help: `carrel vocabularies import --data DIR TYPE FILE

Adds or updates entries of a vocabulary from a JSON array, a file with one JSON object a line, or CSV with a header,
in UTF-8.
Works while the server runs, and makes DIR when it is absent. Prints counts as JSON; a bad row is reported on stderr
with its line and stops nothing. The exit code is 1 if every row was bad.

  TYPE   ${vocabularyTypes.join(" ")}
  FILE   for affiliations and funders also a ROR data dump (JSON)

CSV columns: id, name, acronym, country, title.en, title.de, props.url, tags (a;b), identifiers (ror:03abc;isni:…) …
In files of InvenioRDM also title__en and props__url, and tags as a,b. A column that the vocabulary does not have is
named on stderr, and is not imported.
`,
  async run(args) {
    const { values, positionals } = parseCommandLine(args, { data: { type: "string" } }, 3);
    const [action, type, file] = positionals;
    if (action !== "import") throw new UsageError("Only 'carrel vocabularies import' is offered.");
    await importFile(required(values.data, "data"), type, file);
  },
};
