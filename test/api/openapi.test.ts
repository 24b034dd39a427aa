import { beforeAll, describe, expect, test } from "vitest";
import { type Api, roles, startApi } from "../support/api.ts";
import { ApiDocument } from "../support/api-document.ts";
import { walkApi } from "../support/api-walk.ts";
import { withoutFiles } from "../support/records.ts";
import { listRoutes } from "../support/routes.ts";

/** Calls between a replica and its server (hosts-and-sync 6), and health checks outside of /api. */
const isWire = (route: string) => / \/(sync\/blobs|healthz|ping)/.test(route);
/** Paths that the server splits itself. The document lists each form. */
const isSplit = (route: string) => route.startsWith("* ");
const asTemplate = (route: string) => route.replace(/[:*](\w+)/g, "{$1}");
/** Routes of one host are not in the list of common routes. */
const isOfHost = (route: string) => / \/sync\/(?!drafts|notifications)/.test(route);

/** Endless streams, vocabularies without shipped entries, and look-ups, for which no service is named. */
const isUnanswered = (call: string) => /\/sync\/events|\/(names|awards)\/\{id\}|\/lookup\/\{kind\}/.test(call);

describe("the description of the API", () => {
  let api: Api;
  let document: ApiDocument;
  let described: string[];
  beforeAll(async () => {
    api = await startApi();
    document = await ApiDocument.of(api.anonymous);
    described = document.calls.map(({ verb, path }) => `${verb} ${path}`).filter((route) => !isOfHost(route));
    return () => api.close();
  });

  test("names every route, and none that is not there", () => {
    const routes = listRoutes(api).filter((route) => !isWire(route));
    const exact = routes.filter((route) => !isSplit(route)).map(asTemplate);
    expect(exact.filter((route) => !described.includes(route))).toEqual([]);
    const prefixes = routes.filter(isSplit).map((route) => asTemplate(route).slice(2).replace("{path}", ""));
    const extra = described.filter((route) => !exact.includes(route));
    expect(extra.filter((route) => !prefixes.some((prefix) => route.includes(` ${prefix}`)))).toEqual([]);
    for (const prefix of prefixes)
      expect(
        extra.some((route) => route.includes(` ${prefix}`)),
        prefix,
      ).toBe(true);
  });

  test("every schema is one, every operation has a name of its own", () => {
    const names = document.calls.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    const schema = document.shape("");
    expect(schema).toBeTypeOf("function");
  });

  test("every JSON answer has a shape of its own, none is just an object", () => {
    const bare = document.calls.flatMap(({ verb, path, responses }) =>
      Object.entries(responses)
        .filter(([, { content }]) => JSON.stringify(content?.["application/json"]?.schema) === '{"type":"object"}')
        .map(([status]) => `${verb} ${path} ${status}`),
    );
    expect(bare).toEqual([]);
  });

  test("every list names what it holds: generators of clients drop a shape that does not (interoperability 10)", async () => {
    const vague: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      const { type, items, prefixItems } = value as Record<string, unknown>;
      const isList = !Array.isArray(value) && [type].flat().includes("array");
      if (isList && items === undefined && prefixItems === undefined) vague.push(path);
      for (const [name, part] of Object.entries(value)) visit(part, `${path}/${name}`);
    };
    visit((await api.anonymous.get("/api/openapi.json")).body, "");
    expect(vague).toEqual([]);
  });

  test("the shape of a draft takes a draft", () => {
    const validate = document.shape("/paths/~1records/post/requestBody/content/application~1json/schema");
    expect(validate(withoutFiles), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ files: {} })).toBe(false);
  });

  test("the page for people loads nothing from elsewhere", async () => {
    const page = await api.anonymous.get("/api/docs", { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.text).not.toMatch(/<script|src=|https?:/);
    expect(page.text).toContain("/api/records/{id}/draft");
    expect(page.text).toContain('<h3 id="shape-Record">');
  });
});

describe.each(roles)("answers on the %s", (role) => {
  test("are as described, on every route", async () => {
    const api = await startApi(role);
    const { faults, neverSucceeded } = await walkApi(api);
    expect(faults).toEqual([]);
    expect(neverSucceeded.filter((call) => !isUnanswered(call))).toEqual([]);
  });
});
