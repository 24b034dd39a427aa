import * as Y from "yjs";
import { isObject, sameJson } from "../kernel/json.ts";
import type { DraftInput } from "./draft-input.ts";
import { layout, rootKeys, rootName } from "./layout.ts";
import { toInput } from "./materialise.ts";
import { openDocument } from "./merge.ts";
import { shapeProblem } from "./shape.ts";
import { watchTouched } from "./touched.ts";
import { countStructs, type UpdateProblem } from "./update-content.ts";
import { isTooCostly } from "./update-cost.ts";
import { awaitsUpdates, idOfValue } from "./yjs-internals.ts";

/** Limits of hosts-and-sync 8 (Live limits). An update with 15,000 people, affiliations and identifiers stays below. */
const maxDocumentBytes = 16 * 1024 * 1024;
export const maxStructsPerUpdate = 200_000;

export type GuardRefusal =
  /** The bytes are not an update, or truncated. */
  | "torn"
  /** The update depends on edits that the document does not have. */
  | "gap"
  | "too_many_structs"
  /** Applying it would block the thread (`update-cost.ts`). */
  | "too_costly"
  | "too_large"
  /** The update has content that no draft may have, or changes a part that only the server sets. */
  | "shape";

export interface Refused {
  ok: false;
  reason: GuardRefusal;
  message: string;
}

export type Guarded = { ok: true; state: Uint8Array; readonly input: DraftInput; changed: boolean } | Refused;

const refuse = (reason: GuardRefusal, message: string): Refused => ({ ok: false, reason, message });

/**
 * Checks an update on a copy of the document. All updates from outside pass here (hosts-and-sync 6 and 8, Live document,
 * Live limits).
 */
export function guardUpdate(state: Uint8Array, update: Uint8Array): Guarded {
  const unreadable = contentRefusal(update);
  if (unreadable !== undefined) return unreadable;
  const doc = openDocument(state);
  if (isTooCostly(doc, update)) return refuse("too_costly", "The update takes too long to be put in.");
  const shapeRefusal = watchShape(doc);
  let changed = false;
  doc.on("update", () => {
    changed = true;
  });
  try {
    Y.applyUpdate(doc, update);
  } catch {
    return refuse("torn", "The update cannot be read.");
  }
  if (awaitsUpdates(doc)) return refuse("gap", "The update builds on edits that are missing here.");
  const misshapen = shapeRefusal();
  if (misshapen !== undefined) return misshapen;
  const after = Y.encodeStateAsUpdate(doc);
  return (
    sizeRefusal(after) ?? {
      ok: true,
      state: after,
      // Computed only on demand: a merge makes its own input.
      get input() {
        return toInput(doc);
      },
      changed,
    }
  );
}

/** Watches an edit of a document. The returned function tells afterwards whether one of the rules above refuses it. */
export function watchEdit(doc: Y.Doc): (update: Uint8Array, state: Uint8Array) => Refused | undefined {
  const shapeRefusal = watchShape(doc);
  return (update, state) => contentRefusal(update) ?? shapeRefusal() ?? sizeRefusal(state);
}

function contentRefusal(update: Uint8Array): Refused | undefined {
  const problem: UpdateProblem | undefined = countStructs(update, maxStructsPerUpdate);
  if (problem === "torn") return refuse("torn", "The update cannot be read.");
  if (problem === "too_many")
    return refuse("too_many_structs", `An update may hold ${maxStructsPerUpdate} parts at most.`);
  return problem === undefined ? undefined : refuse("shape", `A draft cannot hold ${problem.content}.`);
}

const sizeRefusal = (state: Uint8Array): Refused | undefined =>
  state.length > maxDocumentBytes ? refuse("too_large", "A draft document may hold 16 MiB at most.") : undefined;

/** Watches a document from now on. The returned function finds what is wrong with its shape. */
function watchShape(doc: Y.Doc): () => Refused | undefined {
  const before = partsOf(doc);
  const known = watchTouched(doc);
  return () => {
    const names = [...doc.share.keys()].filter((name) => name !== rootName);
    if (names.length > 0) return refuse("shape", `${names.join(", ")}: unknown part.`);
    const broken = shapeProblem(layout, doc.getMap(rootName), [], known);
    if (broken !== undefined) return refuse("shape", broken);
    const after = partsOf(doc);
    const replaced = rootKeys.find((key) => before.parts[key] !== undefined && before.parts[key] !== after.parts[key]);
    if (replaced !== undefined) return refuse("shape", `${replaced}: must be edited, not replaced.`);
    const pid = serverPids(before, after);
    return pid === undefined ? undefined : refuse("shape", `pids.${pid}: is set by the server.`);
  };
}

interface Parts {
  /** The id of the edit that made each part: another id means that the part was replaced. */
  parts: Record<string, string | undefined>;
  pids: Record<string, unknown>;
}

function partsOf(doc: Y.Doc): Parts {
  const root = doc.getMap<unknown>(rootName);
  const parts: Parts["parts"] = {};
  for (const key of rootKeys) {
    const id = idOfValue(root, key);
    parts[key] = id && `${id.client}:${id.clock}`;
  }
  const pids = root.get("pids");
  return { parts, pids: pids instanceof Y.Map ? pids.toJSON() : {} };
}

/** The scheme of a service-made identifier that appeared or changed; only a reservation may do that (records 5). */
const serverPids = (before: Parts, after: Parts): string | undefined =>
  Object.keys(after.pids).find((scheme) => {
    const entry = after.pids[scheme];
    return isObject(entry) && entry.provider !== "external" && !sameJson(before.pids[scheme], entry);
  });
