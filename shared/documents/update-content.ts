import * as decoding from "lib0/decoding";

/** Why an update is refused before it is applied. */
export type UpdateProblem = "torn" | "too_many" | { content: string };

const refused: Record<number, string> = { 3: "bytes", 5: "embedded objects", 6: "text formats", 9: "documents" };

/**
 * Checks an update (Yjs' first format) without building objects: a hostile one of a few MiB can have millions of structs.
 * @returns undefined for a readable update with at most `limit` structs and permitted content.
 */
export function countStructs(update: Uint8Array, limit: number): UpdateProblem | undefined {
  try {
    const decoder = decoding.createDecoder(update);
    let count = 0;
    for (let clients = decoding.readVarUint(decoder); clients > 0; clients--) {
      const structs = decoding.readVarUint(decoder);
      count += structs;
      if (count > limit) return "too_many";
      decoding.readVarUint(decoder); // client
      decoding.readVarUint(decoder); // clock
      for (let i = 0; i < structs; i++) {
        const problem = skipStruct(decoder);
        if (problem !== undefined) return { content: problem };
      }
    }
    return skipDeletions(decoder, limit) ? undefined : "too_many";
  } catch {
    return "torn";
  }
}

function skipDeletions(decoder: decoding.Decoder, limit: number): boolean {
  let count = 0;
  for (let clients = decoding.readVarUint(decoder); clients > 0; clients--) {
    decoding.readVarUint(decoder); // client
    const ranges = decoding.readVarUint(decoder);
    count += ranges;
    if (count > limit) return false;
    for (let i = 0; i < 2 * ranges; i++) decoding.readVarUint(decoder);
  }
  if (decoding.hasContent(decoder)) throw new Error("content after the end");
  return true;
}

/** Skips one struct. @returns the kind of its content if no draft may have it. */
function skipStruct(decoder: decoding.Decoder): string | undefined {
  const flags = decoding.readUint8(decoder);
  const kind = flags & 31;
  if (flags === 10 || kind === 0) {
    decoding.readVarUint(decoder); // the length of a gap or of deleted content
    return undefined;
  }
  if ((flags & 128) !== 0) skipId(decoder);
  if ((flags & 64) !== 0) skipId(decoder);
  if ((flags & 192) === 0) {
    if (decoding.readVarUint(decoder) === 1) decoding.readVarString(decoder);
    else skipId(decoder);
    if ((flags & 32) !== 0) decoding.readVarString(decoder);
  }
  return refused[kind] ?? skipContent(decoder, kind);
}

function skipId(decoder: decoding.Decoder): void {
  decoding.readVarUint(decoder);
  decoding.readVarUint(decoder);
}

const namesOfTypes: Record<number, string> = { 0: "arrays", 3: "XML", 4: "XML", 5: "XML", 6: "XML" };

function skipContent(decoder: decoding.Decoder, kind: number): string | undefined {
  if (kind === 1) decoding.readVarUint(decoder);
  else if (kind === 2) for (let n = decoding.readVarUint(decoder); n > 0; n--) decoding.readVarString(decoder);
  else if (kind === 4) decoding.readVarString(decoder);
  else if (kind === 7) return namesOfTypes[decoding.readVarUint(decoder)];
  else if (kind === 8) for (let n = decoding.readVarUint(decoder); n > 0; n--) decoding.readAny(decoder);
  else throw new Error(`unknown content ${kind}`);
  return undefined;
}
