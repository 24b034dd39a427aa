import type { Slices } from "./time-slice.ts";

/** Deeper JSON is refused: the API needs less, and recursive code must not overflow its stack. */
const depthLimit = 200;
export interface JsonLimits {
  /** Members of all arrays and objects together. */
  members: number;
  /** Bytes outside of strings. */
  bareBytes: number;
}

/** JSON that exceeds a limit; the message names the limit. */
export class JsonTooLarge extends RangeError {}

/** Limits of a request body. A draft with 10,000 creators stays below both. */
export const bodyJsonLimits: JsonLimits = { members: 250_000, bareBytes: 8 * 1024 * 1024 };
/** The longest string anybody sends is a draft document of 16 MiB in base64, which is shorter (hosts-and-sync 8). */
const textLimitBytes = 24 * 1024 * 1024;
/** How much is parsed or scanned in one step. */
const pieceBytes = 64 * 1024;

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\,[]{}');

/** Start to end offset of each array, object and string that is larger than a piece. */
type LargeEnds = ReadonlyMap<number, number>;

/** Scans the structure (brackets and strings) byte by byte. */
class StructureReader {
  readonly large = new Map<number, number>();
  readonly #bytes: Buffer;
  readonly #limits: JsonLimits;
  readonly #starts: number[] = [];
  #members = 0;
  #textStart: number | undefined;
  #textBytes = 0;

  constructor(bytes: Buffer, limits: JsonLimits) {
    this.#bytes = bytes;
    this.#limits = limits;
  }

  /** Scans one piece from an offset. @returns the offset to continue from. */
  read(from: number): number {
    const to = Math.min(from + pieceBytes, this.#bytes.length);
    let at = from;
    for (; at < to; at += 1) {
      const byte = this.#bytes[at];
      if (byte === quote) this.#turnText(at);
      else if (this.#textStart !== undefined) at += byte === backslash ? 1 : 0;
      else if (byte === openBracket || byte === openBrace) this.#open(at);
      else if (byte === closeBracket || byte === closeBrace) this.#close(at);
      else if (byte === comma) this.#members += 1;
    }
    const { members, bareBytes } = this.#limits;
    if (this.#members > members) throw new JsonTooLarge(`The JSON has more than ${members} values.`);
    if (this.#textStart === undefined && at - this.#textBytes > bareBytes)
      throw new JsonTooLarge(`The JSON has more than ${bareBytes} bytes outside of strings.`);
    return at;
  }

  end(): void {
    if (this.#starts.length > 0 || this.#textStart !== undefined) throw new SyntaxError("something is not closed");
  }

  #turnText(at: number): void {
    const start = this.#textStart;
    this.#textStart = start === undefined ? at : undefined;
    if (start === undefined) return;
    this.#textBytes += at - start;
    if (at - start > textLimitBytes)
      throw new JsonTooLarge(`The JSON has a string of more than ${textLimitBytes} bytes.`);
    if (at - start > pieceBytes) this.large.set(start, at);
  }

  #open(at: number): void {
    this.#members += 1;
    if (this.#starts.push(at) > depthLimit) throw new RangeError("too deep");
  }

  #close(at: number): void {
    const start = this.#starts.pop();
    const open = this.#bytes[at] === closeBracket ? openBracket : openBrace;
    if (start === undefined || this.#bytes[start] !== open) throw new SyntaxError("brackets do not match");
    if (at - start > pieceBytes) this.large.set(start, at);
  }
}

/** @throws JsonTooLarge over a limit; RangeError when too deep; SyntaxError when brackets do not match. */
async function findLarge(bytes: Buffer, slices: Slices, limits: JsonLimits): Promise<LargeEnds> {
  const reader = new StructureReader(bytes, limits);
  for (let at = 0; at < bytes.length; ) {
    at = reader.read(at);
    await slices.next();
  }
  reader.end();
  return reader.large;
}

type Container = unknown[] | Record<string, unknown>;

/** Sets a member as `JSON.parse` does: `__proto__` is an ordinary name. */
function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Appends the members of `part`. @returns how many there were. */
function append(target: Container, part: Container): number {
  if (Array.isArray(target)) {
    for (const value of part as unknown[]) target.push(value);
    return (part as unknown[]).length;
  }
  const entries = Object.entries(part);
  for (const [name, value] of entries) setMember(target, name, value);
  return entries.length;
}

class PieceParser {
  readonly #bytes: Buffer;
  readonly #large: LargeEnds;
  readonly #slices: Slices;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  constructor(bytes: Buffer, large: LargeEnds, slices: Slices) {
    this.#bytes = bytes;
    this.#large = large;
    this.#slices = slices;
  }

  async whole(): Promise<unknown> {
    const start = this.#bytes.findIndex((byte) => byte === openBracket || byte === openBrace);
    const end = this.#large.get(start);
    if (end === undefined) return JSON.parse(this.#text(0, this.#bytes.length));
    this.#assertBlank(0, start);
    this.#assertBlank(end + 1, this.#bytes.length);
    return this.#container(start, end);
  }

  #text(from: number, to: number): string {
    return this.#decoder.decode(this.#bytes.subarray(from, to));
  }

  /** @throws SyntaxError unless there is only white space between two offsets; `JSON.parse` decides what that is. */
  #assertBlank(from: number, to: number): void {
    if (from < to) JSON.parse(`${this.#text(from, to)}null`);
  }

  /** Parses the members between two offsets of a container in one step. */
  #members(isArray: boolean, from: number, to: number, value = ""): Container {
    const text = this.#text(from, to) + value;
    return JSON.parse(isArray ? `[${text}]` : `{${text}}`);
  }

  /** Parses a large array or object: runs of small members together, each large member by itself. */
  async #container(start: number, end: number): Promise<Container> {
    const target: Container = this.#bytes[start] === openBracket ? [] : {};
    let runStart = start + 1;
    for (let from = runStart; from <= end; ) {
      const { at, large } = this.#memberEnd(from, end);
      if (large !== undefined || at === end || at - runStart > pieceBytes) {
        const runEnd = large === undefined ? at : from - 1;
        if (runEnd >= runStart)
          this.#takeRun(target, runStart, runEnd, large === undefined && runStart === start + 1 && at === end);
        if (large !== undefined) await this.#takeLarge(target, from, large, at);
        runStart = at + 1;
        await this.#slices.next();
      }
      from = at + 1;
    }
    return target;
  }

  #takeRun(target: Container, from: number, to: number, mayBeEmpty: boolean): void {
    const count = append(target, this.#members(Array.isArray(target), from, to));
    if (count === 0 && !mayBeEmpty) throw new SyntaxError("a comma too many");
  }

  async #takeLarge(target: Container, from: number, start: number, to: number): Promise<void> {
    const end = this.#large.get(start) ?? start;
    const names = Object.keys(this.#members(Array.isArray(target), from, start, "null"));
    this.#assertBlank(end + 1, to);
    const [name] = names;
    if (name === undefined || names.length > 1) throw new SyntaxError("a member without a name, or a comma missing");
    const value = await this.#container(start, end);
    if (Array.isArray(target)) target.push(value);
    else setMember(target, name, value);
  }

  /** The offset where a member ends (a comma or the container's end), and where its large value starts. */
  #memberEnd(from: number, end: number): { at: number; large: number | undefined } {
    let isInText = false;
    let depth = 0;
    let large: number | undefined;
    for (let at = from; at < end; at += 1) {
      const byte = this.#bytes[at];
      if (byte === quote) {
        isInText = !isInText;
        // Continue at the closing quote of a long string.
        if (isInText) at = (this.#large.get(at) ?? at + 1) - 1;
      } else if (isInText) at += byte === backslash ? 1 : 0;
      else if (byte === openBracket || byte === openBrace) {
        const past = this.#large.get(at);
        if (past === undefined) depth += 1;
        else {
          if (large !== undefined) throw new SyntaxError("a comma is missing");
          large = at;
          at = past;
        }
      } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
      else if (byte === comma && depth === 0) return { at, large };
    }
    return { at: end, large };
  }
}

/** Whether JSON is nested at most 200 levels deep. Text that is not JSON may pass. */
export function isShallowJson(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) isInText = !isInText;
    else if (isInText) at += unit === backslash ? 1 : 0;
    else if (unit === openBracket || unit === openBrace) depth += 1;
    else if (unit === closeBracket || unit === closeBrace) depth -= 1;
    if (depth > depthLimit) return false;
  }
  return true;
}

/**
 * As `JSON.parse`, but yields to the event loop after each 64 KiB or long string.
 * @throws SyntaxError for no JSON; TypeError for no UTF-8; JsonTooLarge over a limit; RangeError over 200 levels.
 */
export async function parseJson(bytes: Buffer, slices: Slices, limits: JsonLimits = bodyJsonLimits): Promise<unknown> {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = isMarked ? bytes.subarray(3) : bytes;
  return new PieceParser(text, await findLarge(text, slices, limits), slices).whole();
}
