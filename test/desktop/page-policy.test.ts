import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pagePolicy, withNonce } from "../../shared/web-app/page-policy.ts";
import { repository } from "../support/run.ts";

const directives = new Map(
  pagePolicy("abc")
    .split("; ")
    .map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
);

test("nothing is loaded from elsewhere, no text is run (ux 4)", () => {
  expect(directives.get("default-src")).toEqual(["'none'"]);
  const sources = [...directives.values()].flat();
  expect(sources).not.toContain("'unsafe-inline'");
  expect(sources).not.toContain("'unsafe-eval'");
  expect(sources.filter((source) => /[*]|https?:|wss?:/.test(source))).toEqual([]);
  expect(directives.get("frame-ancestors")).toEqual(["'none'"]);
  expect(directives.get("form-action")).toEqual(["'none'"]);
});

test("the page carries the nonce where the components look for it", async () => {
  const source = await readFile(join(repository, "renderer/index.html"), "utf8");
  const page = withNonce(source, "abc");
  expect(directives.get("style-src")).toEqual(["'self'", "'nonce-abc'"]);
  expect(page).toContain('name="csp-nonce" content="abc"');
  expect(page).not.toContain("%CSP_NONCE%");
});
