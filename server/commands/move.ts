import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { parseBlobs, parseDatabase } from "../config.ts";
import { moveRows } from "../upkeep/move.service.ts";
import { moveBytes } from "../upkeep/move-bytes.service.ts";
import { recordConsoleEvent } from "../with-services.ts";

const options = {
  data: { type: "string" },
  database: { type: "string" },
  sqlite: { type: "boolean", default: false },
  blobs: { type: "string" },
  folder: { type: "boolean", default: false },
} as const;

const print = (line: string) => process.stderr.write(`${line}\n`);
/** Progress is reported after this many blobs. */
const reportEvery = 100;

async function moveRowsOf(data: string, address: string | undefined): Promise<void> {
  const report = await moveRows(data, address, (table, rows) => print(`${table}: ${rows} rows`));
  await recordConsoleEvent(data, { action: "data.move", details: { tables: report.tables, rows: report.rows } });
  printJson({ event: "moved", data, ...report });
}

async function moveBytesOf(data: string, address: string | undefined): Promise<void> {
  const report = await moveBytes(data, address, (done, total) => {
    if (done % reportEvery === 0 || done === total) print(`${done} of ${total} blobs`);
  });
  for (const sha256 of report.missing) print(`The blob ${sha256} was missing before.`);
  await recordConsoleEvent(data, { action: "data.move", details: { blobs: report.blobs, bytes: report.bytes } });
  printJson({ event: "moved", data, ...report });
}

/** `carrel move`: moves the rows of a server between SQLite and PostgreSQL, and its bytes between a folder and a bucket. */
export const moveCommand: CliCommand = {
  help: `carrel move --data DIR --database postgres://user@host/name
carrel move --data DIR --sqlite
carrel move --data DIR --blobs 's3://bucket/prefix?endpoint=https://s3.example.org&region=us-east-1'
carrel move --data DIR --folder

Moves the rows of a stopped server to an empty PostgreSQL database, or back into DIR; or the bytes of its files to a
bucket, or back into DIR. Stop all its processes before. Every table is compared, and every file with its digest, before
the move counts; if it fails, everything is where it was, and files that were copied are not copied again. Replicas
notice nothing. What was moved stays behind as a copy that nothing uses: delete it later. A password belongs into
PGPASSWORD, the keys of a bucket into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
Prints {"event":"moved","data":…,"place":…,"tables":…,"rows":…}, or {…,"blobs":…,"bytes":…,"missing":[…]}.
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const database = parseDatabase(values.database);
    const bucket = parseBlobs(values.blobs);
    const wanted = [database !== undefined, values.sqlite, bucket !== undefined, values.folder].filter(Boolean).length;
    if (wanted !== 1) throw new UsageError("Name one of --database, --sqlite, --blobs and --folder.");
    const data = required(values.data, "data");
    if (bucket !== undefined || values.folder) await moveBytesOf(data, bucket);
    else await moveRowsOf(data, database);
  },
};
