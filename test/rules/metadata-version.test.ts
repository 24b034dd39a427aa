import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { layout } from "../../shared/documents/layout.ts";
import { fieldsProtocolVersion, protocolVersion } from "../../shared/sync-protocol/protocol-version.ts";

/** The digest of the layout of documents, by the version of the wire that brought it. */
const layouts: Record<number, string> = { 1: "707e3928ef88cc49", 4: "8f8a4f6a0b372687" };

test("another layout of documents is another version of the wire (hosts-and-sync 6, Version skew)", () => {
  const digest = createHash("sha256").update(JSON.stringify(layout)).digest("hex").slice(0, 16);
  expect(digest, "set fieldsProtocolVersion and protocolVersion to the next version, and add it here").toBe(
    layouts[fieldsProtocolVersion],
  );
  expect(fieldsProtocolVersion).toBe(Math.max(...Object.keys(layouts).map(Number)));
  expect(fieldsProtocolVersion).toBeLessThanOrEqual(protocolVersion);
});
