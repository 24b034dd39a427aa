import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { type Api, startApi } from "../support/api.ts";
import { withoutFiles } from "../support/records.ts";
import { listRoutes } from "../support/routes.ts";

/** What a replica and its server say to each other (hosts-and-sync 6), and signs of life outside of /api. */
const isWire = (route: string) => / \/(sync\/blobs|healthz|ping)/.test(route);
/** Paths whose meaning is found by splitting them; they stand in the document one by one. */
const isSplit = (route: string) => route.startsWith("* ");
const asTemplate = (route: string) => route.replace(/[:*](\w+)/g, "{$1}");

describe("the description of the API", () => {
  let api: Api;
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape until it is checked
  let document: any;
  let described: string[];
  beforeAll(async () => {
    api = await startApi();
    document = (await api.anonymous.get("/api/openapi.json")).body;
    described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
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
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const schema of Object.values<object>(document.components.schemas)) ajv.compile(schema);
    const names: string[] = [];
    for (const item of Object.values<Record<string, { operationId: string; requestBody?: object }>>(document.paths)) {
      for (const { operationId, requestBody } of Object.values(item)) {
        names.push(operationId);
        const [media] = Object.values((requestBody as { content?: Record<string, { schema: object }> })?.content ?? {});
        if (media) ajv.compile(media.schema);
      }
    }
    expect(new Set(names).size).toBe(names.length);
  });

  test("the shape of a draft takes a draft", () => {
    const { schema } = document.paths["/records"].post.requestBody.content["application/json"];
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(withoutFiles), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ files: {} })).toBe(false);
  });

  test("errors have the described shape", async () => {
    const validate = new Ajv2020({ strict: false }).compile(document.components.schemas.Error);
    expect(validate((await api.anonymous.post("/api/records", {})).body)).toBe(true);
    expect(validate((await (await api.as("alice")).post("/api/records", [])).body)).toBe(true);
  });

  test("the page for people loads nothing from elsewhere", async () => {
    const page = await api.anonymous.get("/api/docs", { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.text).not.toMatch(/<script|src=|https?:/);
    expect(page.text).toContain("/api/records/{id}/draft");
  });
});
