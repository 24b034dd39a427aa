import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Places where the role is data: an answer or a document names the host. */
const namesTheHost = ["shared/api.ts", "shared/openapi/openapi.routes.ts"];

test("services test what a host does, never its role (architecture: hosts)", () => {
  const readsRole = globSync("shared/**/*.ts").filter((path) => /\bhost\.role\b/i.test(readFileSync(path, "utf8")));
  expect(readsRole.sort()).toEqual(namesTheHost);
  const comparesRole = globSync("shared/**/*.ts").filter((path) =>
    /\brole [!=]== "(?:server|replica)"/.test(readFileSync(path, "utf8")),
  );
  expect(comparesRole).toEqual([]);
});

/** Addresses in what a server sends, the prefix of all calls, and examples of answers. */
const otherAddresses = [
  "main/replica/forwarded-answer.ts",
  "server/expiry.ts",
  "server/pages/page-cache.ts",
  "shared/openapi/answers/file.schema.ts",
];

test("patterns of addresses stand in routers: whoever needs to know reads the facts of the route", () => {
  const pattern = /\/[^\n]*\\\/api\\\/[^\n]*\/|\b(?:startsWith|endsWith|includes)\("\/api/;
  const files = globSync("{shared,server,main/replica}/**/*.ts").filter((path) => !path.endsWith(".routes.ts"));
  expect(files.filter((path) => pattern.test(readFileSync(path, "utf8"))).sort()).toEqual(otherAddresses);
});
