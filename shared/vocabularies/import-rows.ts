import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";

/**
 * One row of an import file and the line on which it begins; `problem` when it cannot be read, `columns` when it names
 * the columns of the others.
 */
export interface ImportRow {
  line: number;
  value?: unknown;
  problem?: string;
  columns?: string[];
}

const chunkBytes = 1 << 20;

async function* textChunks(file: string): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let isFirst = true;
  for await (const chunk of createReadStream(file, { highWaterMark: chunkBytes })) {
    const text = decoder.write(chunk as Buffer);
    yield isFirst ? text.replace(/^\ufeff/, "") : text;
    isFirst = false;
  }
  yield decoder.end();
}

/** Why these words of a row would not be stored as they were written. */
const lostCharacter = (text: string): string | undefined =>
  text.includes("\ufffd") ? "A character cannot be read. The file must be saved as UTF-8." : undefined;

function parsed(line: number, text: string): ImportRow {
  const problem = lostCharacter(text);
  if (problem !== undefined) return { line, problem };
  try {
    return { line, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { line, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Rows of a file with one JSON value on each line. */
async function* jsonLines(chunks: AsyncIterable<string>): AsyncGenerator<ImportRow> {
  let rest = "";
  let line = 0;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield parsed(line, text);
    }
  }
  if (rest.trim() !== "") yield parsed(line + 1, rest);
}

/** Cuts a JSON array into its elements as a stream, by following only depth and strings. */
class ElementCutter {
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #line = 1;
  #startLine = 1;
  #pending = "";

  /** The elements that end in this piece of text. */
  *cut(text: string): Generator<ImportRow> {
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 10) this.#line += 1;
      const isEnd = this.#step(code);
      if (isEnd) {
        yield* this.#finish(this.#pending + text.slice(start, at));
        this.#pending = "";
        start = at + 1;
      } else if (this.#depth <= 1 && !this.#inString && code <= 32 && this.#pending === "" && at === start)
        start = at + 1;
      else if (at === start && this.#pending === "") this.#startLine = this.#line;
    }
    this.#pending += text.slice(start);
  }

  /**
   * Processes one character; true at a comma or bracket that ends an element, and at the bracket that opens the array.
   */
  #step(code: number): boolean {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === 92) this.#isEscaped = true;
      else if (code === 34) this.#inString = false;
      return false;
    }
    if (code === 34) this.#inString = true;
    else if (code === 91 || code === 123) {
      this.#depth += 1;
      return this.#depth === 1;
    } else if (code === 93 || code === 125) {
      this.#depth -= 1;
      return this.#depth === 0;
    } else if (code === 44) return this.#depth === 1;
    return false;
  }

  *#finish(text: string): Generator<ImportRow> {
    if (text.trim() !== "") yield parsed(this.#startLine, text);
  }

  /** Reports the rest when the file ends inside an element. */
  *end(): Generator<ImportRow> {
    if (this.#depth > 0) yield { line: this.#line, problem: "The file ends in the middle of the list." };
  }
}

async function* jsonArray(chunks: AsyncIterable<string>): AsyncGenerator<ImportRow> {
  const cutter = new ElementCutter();
  for await (const chunk of chunks) yield* cutter.cut(chunk);
  yield* cutter.end();
}

interface CsvRecord {
  line: number;
  cells: string[];
  /** The file ends within quotes, so that further rows may be in them. */
  isOpen?: boolean;
}

/** Cells of CSV records (RFC 4180), each record with the line on which it begins. */
async function* csvRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let cells: string[] = [];
  let cell = "";
  let state: "plain" | "quoted" | "closing" = "plain";
  let line = 1;
  let startLine = 1;
  for await (const chunk of chunks) {
    for (const character of chunk) {
      if (character === "\n") line += 1;
      if (state === "quoted") {
        if (character === '"') state = "closing";
        else cell += character;
      } else if (character === '"' && (state === "closing" || cell === "")) {
        if (state === "closing") cell += '"';
        state = "quoted";
      } else if (character === ",") {
        cells.push(cell);
        cell = "";
        state = "plain";
      } else if (character === "\n") {
        yield { line: startLine, cells: [...cells, cell] };
        cells = [];
        cell = "";
        state = "plain";
        startLine = line;
      } else if (character !== "\r") cell += character;
    }
  }
  const isOpen = state === "quoted";
  if (cell !== "" || cells.length > 0 || isOpen) yield { line: startLine, cells: [...cells, cell], isOpen };
}

const openQuote = "A quotation mark in this row is not closed. No row after it was read.";

const listColumns = new Set(["tags"]);

/** InvenioRDM separates them by commas. */
const betweenTags = /[;,]/;

/**
 * `title.en` (in files of InvenioRDM `title__en`) makes a nested text; `identifiers` and `affiliations` are lists of
 * `scheme:value` and names, separated by `;`.
 */
function rowOfCells(header: string[], cells: string[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) {
    const cell = cells[index]?.trim() ?? "";
    if (cell === "") continue;
    const parts = cell.split(listColumns.has(name) ? betweenTags : ";").map((part) => part.trim());
    const [outer = name, inner] = name.split(".");
    if (name === "identifiers") {
      row[name] = parts.map((part) => ({
        scheme: part.slice(0, part.indexOf(":")),
        identifier: part.slice(part.indexOf(":") + 1),
      }));
    } else if (name === "affiliations") row[name] = parts.map((part) => ({ name: part }));
    else if (listColumns.has(name)) row[name] = parts;
    else if (inner === undefined) row[name] = cell;
    else row[outer] = { ...(row[outer] as object | undefined), [inner]: cell };
  }
  return row;
}

async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<ImportRow> {
  let header: string[] | undefined;
  for await (const { line, cells, isOpen } of csvRecords(chunks)) {
    const problem = isOpen ? openQuote : lostCharacter(cells.join());
    if (problem !== undefined) {
      yield { line, problem };
      // Without its header a file has no rows.
      if (header === undefined) return;
    } else if (header === undefined) {
      header = cells.map((name) => name.trim().replace("__", "."));
      yield { line, columns: header };
    } else if (cells.slice(header.length).some((cell) => cell.trim() !== ""))
      yield { line, problem: `The row has ${cells.length} values for ${header.length} columns.` };
    else if (cells.some((cell) => cell.trim() !== "")) yield { line, value: rowOfCells(header, cells) };
  }
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

/**
 * Streams the rows of a JSON array, of a file with one JSON value a line, or (by its name) of a CSV file with a header.
 * Uses constant memory.
 */
export async function* importRows(file: string): AsyncGenerator<ImportRow> {
  const chunks = textChunks(file);
  if (/\.csv$/i.test(file)) {
    yield* csvRows(chunks);
    return;
  }
  const first = await chunks.next();
  const text = first.done ? "" : first.value;
  const all = startingWith(text, chunks);
  yield* text.trimStart().startsWith("[") ? jsonArray(all) : jsonLines(all);
}
