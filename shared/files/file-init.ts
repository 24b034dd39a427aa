import { Failure, invalid } from "../kernel/failure.ts";
import { isObject } from "../kernel/json.ts";
import { parse } from "../kernel/parse.ts";
import { nameTaken } from "./file.lifecycle.ts";
import { type FileInitInput, fileInitInputs } from "./file.schema.ts";

const wrongShape = (index: number) => ({ field: `${index}._schema`, messages: ["Invalid input type."] });

/** Transfer types that are not offered are refused with 403, not 400 (records 6.3). */
function assertTransfer(item: Record<string, unknown>): void {
  const { transfer } = item;
  if (!isObject(transfer) || transfer.type === undefined || transfer.type === "L") return;
  if (["F", "R", "M"].includes(String(transfer.type))) throw new Failure("forbidden", "Permission denied.");
}

/**
 * Parses the files that a caller announces.
 * @throws Failure 400 by field, 400 for a repeated name, 403 for a transfer type that is not offered.
 */
export function parseInit(body: unknown): FileInitInput[] {
  if (!Array.isArray(body)) throw invalid([wrongShape(0)]);
  const odd = body.flatMap((item, index) => (isObject(item) ? [] : [wrongShape(index)]));
  if (odd.length > 0) throw invalid(odd);
  for (const item of body) assertTransfer(item);
  const files = parse(fileInitInputs, body);
  const seen = new Set<string>();
  for (const { key } of files) {
    if (seen.has(key)) throw nameTaken(key);
    seen.add(key);
  }
  return files;
}
