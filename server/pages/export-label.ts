import { exportFormats } from "../../shared/representations/export-formats.ts";
import type { Words } from "./words.ts";

/** The name of an export on a page. */
export const exportLabel = (words: Words, name: string): string =>
  exportFormats[name]?.label ?? words.exportNames[name] ?? "";
