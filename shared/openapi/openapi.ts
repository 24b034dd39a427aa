import { z } from "zod";
import { type Operation, operations } from "./operations.ts";

type Json = Record<string, unknown>;

const jsonSchema = (schema: z.ZodType): Json => {
  const { $schema: _schema, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
  return rest;
};

const errorSchema = jsonSchema(
  z.object({
    status: z.int(),
    message: z.string(),
    errors: z.array(z.object({ field: z.string(), messages: z.array(z.string()) })).optional(),
  }),
);

const text = { type: "string" };
const listParameters: Json[] = [
  { name: "q", in: "query", schema: text, description: "Query string" },
  { name: "sort", in: "query", schema: text },
  { name: "page", in: "query", schema: { type: "integer", minimum: 1 } },
  { name: "size", in: "query", schema: { type: "integer", minimum: 1 } },
];

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema: text }));

function requestBody({ body, consumes }: Operation): Json {
  if (consumes !== undefined) {
    return { requestBody: { content: { [consumes]: { schema: { type: "string", format: "binary" } } } } };
  }
  return body === undefined ? {} : { requestBody: { content: { "application/json": { schema: jsonSchema(body) } } } };
}

function success({ answer, produces, isList }: Operation): Json {
  if (answer === 204 || answer >= 400) return {};
  const isText = produces === "text/html" || produces === "image/svg+xml";
  const binary = { type: "string", ...(isText ? {} : { format: "binary" }) };
  const json = isList ? { $ref: "#/components/schemas/List" } : { type: "object" };
  const isJson = produces === undefined || produces.endsWith("json");
  return { content: { [produces ?? "application/json"]: { schema: isJson ? json : binary } } };
}

function describe(operation: Operation): Json {
  const { tag, route, summary, answer, isList } = operation;
  const [verb = "", path = ""] = route.split(" ");
  const words = path
    .replace(/[{}]/g, "")
    .split(/[^A-Za-z]+/)
    .filter(Boolean);
  const failed = {
    description: "Refused",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
  return {
    tags: [tag],
    operationId: [verb.toLowerCase(), ...words].join("_"),
    summary,
    parameters: [...pathParameters(path), ...(isList ? listParameters : [])],
    ...requestBody(operation),
    responses: {
      ...(answer < 400 ? { [answer]: { description: "Done", ...success(operation) } } : {}),
      default: failed,
    },
  };
}

/** The OpenAPI 3.1 document of the API, its bodies made from the schemas that judge them. */
export function openApiDocument(baseUrl: string, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const [verb = "", path = ""] = operation.route.split(" ");
    paths[path] = { ...paths[path], [verb.toLowerCase()]: describe(operation) };
  }
  const hits = z.object({ hits: z.object({ hits: z.array(z.unknown()), total: z.int() }) });
  return {
    openapi: "3.1.0",
    info: { title: "Carrel", version, description: "Records, files, reviews, people. GET routes answer HEAD as well." },
    servers: [{ url: `${baseUrl}/api` }],
    security: [{ bearer: [] }, {}],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: errorSchema, List: jsonSchema(hits) },
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  };
}
