import type { Slices } from "./time-slice.ts";

/** Deeper JSON is refused: no body of the API is, and what walks through it must not run out of stack. */
const depthLimit = 200;
export interface JsonLimits {
  /** Members of all arrays and objects together. */
  members: number;
  /** Outside of texts. */
  bareBytes: number;
}

/** JSON over a limit; the message says over which. */
export class JsonTooLarge extends RangeError {}

/** Of a caller's body: a draft with 10,000 creators has fewer members, and those need no more bytes outside of texts. */
export const bodyJsonLimits: JsonLimits = { members: 250_000, bareBytes: 8 * 1024 * 1024 };
/** A draft document of 16 MiB in base64, the longest text that anybody sends, has less (hosts-and-sync 8). */
const textLimitBytes = 24 * 1024 * 1024;
/** So much is parsed or scanned at once. */
const pieceBytes = 64 * 1024;

const [quote, backslash, comma, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\,[]{}');

/** Ends of the arrays, objects and texts larger than a piece, by their starts. */
type LargeEnds = ReadonlyMap<number, number>;

/** Reads the structure alone, byte by byte. */
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

  /** Reads on from a place. @returns where to go on, past a piece. */
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

/** @throws JsonTooLarge over a limit; RangeError too deep; SyntaxError brackets do not match. */
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

/** As in `JSON.parse`, a member named `__proto__` is a member like any other. */
function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") target[name] = value;
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Puts a part behind what is there. @returns how many members it has. */
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

  /** White space beside a value, which the parser itself judges. */
  #assertBlank(from: number, to: number): void {
    if (from < to) JSON.parse(`${this.#text(from, to)}null`);
  }

  /** The members in a stretch of a container, parsed at once. */
  #members(isArray: boolean, from: number, to: number, value = ""): Container {
    const text = this.#text(from, to) + value;
    return JSON.parse(isArray ? `[${text}]` : `{${text}}`);
  }

  /** A large array or object: runs of small members are parsed together, large members by themselves. */
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

  /** Where a member ends (a comma, or the end of its container), and where the large value in it starts. */
  #memberEnd(from: number, end: number): { at: number; large: number | undefined } {
    let isInText = false;
    let depth = 0;
    let large: number | undefined;
    for (let at = from; at < end; at += 1) {
      const byte = this.#bytes[at];
      if (byte === quote) {
        isInText = !isInText;
        // The closing quote of a long text comes next.
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

/** Whether JSON is nested no deeper than what walks through it may go; text that is no JSON may pass. */
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
 * As `JSON.parse`, and gives way meanwhile: no step takes longer than parsing 64 KiB, or one long text.
 * @throws SyntaxError not JSON; TypeError not UTF-8; JsonTooLarge over a limit;
 * RangeError nested over 200 levels.
 */
export async function parseJson(bytes: Buffer, slices: Slices, limits: JsonLimits = bodyJsonLimits): Promise<unknown> {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = isMarked ? bytes.subarray(3) : bytes;
  return new PieceParser(text, await findLarge(text, slices, limits), slices).whole();
}
