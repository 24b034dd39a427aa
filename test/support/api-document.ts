import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { isObject } from "../../shared/kernel/json.ts";
import type { Answer, HttpClient } from "./http-client.ts";

type Json = Record<string, unknown>;
interface Response {
  content?: Record<string, { schema: object }>;
  $ref?: string;
}
interface Call {
  operationId: string;
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, Response>;
}

/** A call as described by the OpenAPI document. */
export interface DescribedCall extends Call {
  verb: string;
  /** `/records/{id}`, below `/api`. */
  path: string;
}

/** The same schema, but without additional properties. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = !isObject(schema.properties) || "additionalProperties" in schema || schema.type !== "object";
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

/** The OpenAPI document, checked strictly: undescribed keys are faults. */
export class ApiDocument {
  readonly calls: DescribedCall[];
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  readonly #patterns: [RegExp, DescribedCall][];
  readonly #validators = new Map<string, ValidateFunction>();

  readonly #schemas: Record<string, Json>;

  constructor(document: Json) {
    this.#schemas = (document.components as { schemas: Record<string, Json> }).schemas;
    this.#ajv.addSchema({ ...(closed(document) as Json), $id: "api" });
    const paths = document.paths as Record<string, Record<string, Call>>;
    this.calls = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([verb, call]) => ({ ...call, verb: verb.toUpperCase(), path })),
    );
    const count = ({ path }: DescribedCall) => path.split("{").length;
    const byPlaceholders = [...this.calls].sort((a, b) => count(a) - count(b));
    this.#patterns = byPlaceholders.map((call) => {
      const pattern = call.path
        .replaceAll(".", "\\.")
        .replace("{path}", ".+")
        .replace(/\{\w+\}/g, "[^/]+");
      return [new RegExp(`^/api${pattern}$`), call];
    });
  }

  static async of(client: HttpClient): Promise<ApiDocument> {
    return new ApiDocument((await client.get("/api/openapi.json")).body);
  }

  /** The described call of a request; the path may have a query. */
  find(verb: string, path: string): DescribedCall | undefined {
    const [bare = ""] = path.split("?");
    return this.#patterns.find(([pattern, call]) => call.verb === verb && pattern.test(bare))?.[1];
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#validators.get(pointer);
    const made = known ?? this.#ajv.compile({ $ref: `api#${pointer}` });
    this.#validators.set(pointer, made);
    return made;
  }

  /** Resolves a reference to a named schema. */
  resolve(reference: string): Json {
    return this.#schemas[reference.split("/").at(-1) ?? ""] ?? {};
  }

  /** Compiles the schema at a JSON pointer. @throws Error if there is none. */
  shape(pointer: string): ValidateFunction {
    return this.#validator(pointer);
  }

  /** How an answer differs from its description; undefined if it matches. */
  faultOf(verb: string, path: string, { status, headers, body, text }: Answer): string | undefined {
    const at = `${verb} ${path} ${status}`;
    if (status >= 400) return this.#shapeFault(at, "/components/schemas/Error", body);
    const call = this.find(verb, path) ?? this.find("GET", path);
    if (!call) return `${at}: not in the document`;
    const response = call.responses[status];
    if (!response) return `${at}: this status is not described`;
    if (verb === "HEAD" || (status >= 300 && status < 400)) return undefined;
    if (!response.content) return text === "" ? undefined : `${at}: a body was not expected: ${text.slice(0, 200)}`;
    const type = headers.get("content-type")?.split(";")[0] ?? "";
    const described = response.content[type] ? type : "application/octet-stream";
    if (!response.content[described]) return `${at}: ${type} is not described`;
    if (!/json/.test(type)) return undefined;
    const steps = ["paths", call.path, call.verb.toLowerCase(), "responses", String(status), "content", described];
    const pointer = steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
    return this.#shapeFault(at, `${encodeURI(pointer)}/schema`, body);
  }

  #shapeFault(at: string, pointer: string, body: unknown): string | undefined {
    const validate = this.#validator(pointer);
    if (validate(body)) return undefined;
    const [error] = validate.errors ?? [];
    return `${at}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)} in ${JSON.stringify(body)?.slice(0, 600)}`;
  }
}
