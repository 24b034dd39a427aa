import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { importRows } from "../../shared/vocabularies/import-rows.ts";

/** The rows of a file below its header: what was read, or why it was refused, each with its line. */
async function read(name: string, content: string | Buffer): Promise<[number, unknown][]> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-rows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  const rows: [number, unknown][] = [];
  for await (const { line, value, problem, columns } of importRows(join(folder, name)))
    if (columns === undefined) rows.push([line, problem ?? value]);
  return rows;
}

test("a row of CSV that would lose words is refused, with its line (hosts-and-sync 1)", async () => {
  expect(await read("open.csv", 'id,name\nc1,"One"\nc2,"Two\nc3,Three\nc4,Four\n')).toEqual([
    [2, { id: "c1", name: "One" }],
    [3, "A quotation mark in this row is not closed. No row after it was read."],
  ]);
  expect(await read("open.csv", 'id,name\nc1,"')).toEqual([[2, expect.stringMatching(/^A quotation mark/)]]);
  expect(await read("cut.csv", "id,name\nc5,Institute of Ice, Kiel\nc6,Six,,\n")).toEqual([
    [2, "The row has 3 values for 2 columns."],
    [3, { id: "c6", name: "Six" }],
  ]);
});

test("a file that is not UTF-8 is refused row by row; its words are not spoilt (hosts-and-sync 1)", async () => {
  const refusal = "A character cannot be read. The file must be saved as UTF-8.";
  expect(await read("latin.csv", Buffer.from("id,name\nl1,München\nl2,Kiel\n", "latin1"))).toEqual([
    [2, refusal],
    [3, { id: "l2", name: "Kiel" }],
  ]);
  const latin = Buffer.from('{"name": "München"}\n{"name": "Kiel"}', "latin1");
  expect(await read("latin.jsonl", latin)).toEqual([
    [1, refusal],
    [2, { name: "Kiel" }],
  ]);
  expect(await read("wide.csv", Buffer.from("\ufeffid,name\nl4,Kiel\n", "utf16le"))).toEqual([[1, refusal]]);
});
