import { z } from "zod";
import { vendorType } from "../kernel/negotiation.ts";
import { errorBody } from "./answers/common.schema.ts";
import { namedShapes } from "./answers/named.schema.ts";
import type { Operation, Parameter } from "./operation.ts";
import { operationsOf } from "./operations.ts";

type Json = Record<string, unknown>;

const place = (name: string): string => `#/components/schemas/${name}`;
const input = { io: "input", unrepresentable: "any" } as const;
/** Drops the limits of JavaScript integers, which are no limits of the API. */
const isNoise = (key: string, value: unknown): boolean =>
  key === "$schema" || key === "$id" || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
const plain = (schema: unknown): Json =>
  JSON.parse(JSON.stringify(schema, (key, value) => (isNoise(key, value) ? undefined : value)));

const components = (): Json => plain(z.toJSONSchema(namedShapes, { ...input, uri: place }).schemas);

/** A reference to a shape if it has a name, else the shape itself. */
function shapeOf(shape: z.ZodType): Json {
  const name = namedShapes.get(shape)?.id;
  if (name !== undefined) return { $ref: place(name) };
  if (shape instanceof z.ZodUnion) return { anyOf: shape.options.map((option) => shapeOf(option as z.ZodType)) };
  return plain(z.toJSONSchema(shape, input));
}

const text = { type: "string" };
const query = (name: string, schema: Json, description?: string): Json => ({
  name,
  in: "query",
  schema,
  ...(description ? { description } : {}),
});
const positive = (usual: number, most?: number): Json => ({
  type: "integer",
  minimum: 1,
  ...(most === undefined ? {} : { maximum: most }),
  default: usual,
});

/** The parameters of a list (search 2, 7, 8). */
function searchParameters({ search }: Operation): Json[] {
  if (!search) return [];
  const sorts = { type: "string", enum: search.sorts };
  return [
    query("q", { ...text, maxLength: 8192 }, "Query string"),
    ...(search.hasSuggest ? [query("suggest", text, "Beginnings of words, for suggestions; not with `q`")] : []),
    query("sort", sorts, `\`${search.defaultSort}\` by default; with \`q\` the best matches first where offered`),
    query("page", positive(1)),
    query("size", positive(search.defaultSize, search.maxSize)),
    ...(search.booleans ?? []).map((name) => query(name, { type: "boolean" })),
    ...(search.filters ?? []).map((name) => ({
      ...query(name, { type: "array", items: text }, "Repeatable: any of the values"),
      explode: true,
    })),
  ];
}

/** Parameters that many calls share, by their name in `components`. */
const sharedParameters: Record<string, Json> = {
  IfMatch: {
    name: "If-Match",
    in: "header",
    schema: text,
    description: "Revision that must still be current, else 412",
  },
  IfNoneMatch: { name: "If-None-Match", in: "header", schema: text, description: "304 when the ETag still matches" },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    schema: { ...text, maxLength: 255 },
    description: "The same key returns the first answer again, for 30 days",
  },
  LinkToken: query("token", text, "Token of an access link"),
  Expand: query("expand", { type: "string" }, "`1` spells out people and topics"),
};

const pathWords: Record<string, string> = {
  id: "Its id",
  key: "File name, encoded",
  path: "Path inside the archive",
  link: "Id of the access link",
  n: "Position in the list, from 0",
  cid: "Id of the comment",
  subject: "Id of the person or group; of IIIF: `record:{id}` or `draft:{id}`",
  image: "`record:{id}:{key}` or `draft:{id}:{key}`, encoded",
  region: "`full`, `square`, `x,y,w,h` or `pct:x,y,w,h`",
  size: "`max`, `w,` `,h` `w,h` `!w,h` or `pct:n`; with `^` also larger than the picture",
  rotation: "`0`",
  file: "`default.jpg` or `default.png`",
  request: "Id of the request",
  place: "Name of the editor inside the conversation",
  filename: "File name, encoded",
};

const shared = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });
const own = ({ schema, ...parameter }: Parameter): Json => ({ ...parameter, schema: schema ?? text });

function parametersOf(operation: Operation, verb: string, path: string): Json[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const isRead = verb === "GET" || verb === "HEAD";
  return [
    ...names.map((name = "") => {
      const description = pathWords[name];
      return { name, in: "path", required: true, schema: text, ...(description ? { description } : {}) };
    }),
    ...searchParameters(operation),
    ...(operation.parameters ?? []).map(own),
    ...(/^\/(records\/\{|iiif|sync\/drafts)/.test(path) ? [shared("LinkToken")] : []),
    ...(isRead && /^\/(user\/)?re(cords|quests)/.test(path) ? [shared("Expand")] : []),
    ...(isRead && operation.isTagged ? [shared("IfNoneMatch")] : []),
    ...(operation.isGuarded ? [shared("IfMatch")] : []),
    ...(isRead ? [] : [shared("IdempotencyKey")]),
  ];
}

function requestBody({ body, consumes }: Operation): Json {
  if (consumes !== undefined) return { requestBody: { content: { [consumes]: { schema: { format: "binary" } } } } };
  return body === undefined ? {} : { requestBody: { content: { "application/json": { schema: shapeOf(body) } } } };
}

/** The schema of other media types: text, bytes, or JSON of an external format. */
const otherContent = (type: string): Json => ({ type: type.endsWith("json") ? "object" : "string" });

function contentOf(operation: Operation, shape: z.ZodType | undefined): Json {
  const isVendor = (type: string) => type === vendorType;
  const media = operation.media ?? [vendorType];
  const json = shape && shapeOf(shape);
  const content = Object.fromEntries(
    media.map((type) => [type, { schema: json && (isVendor(type) || media.length === 1) ? json : otherContent(type) }]),
  );
  return { ...(json ? { "application/json": { schema: json } } : {}), ...content };
}

const etag = { ETag: { description: "The revision in quotes", schema: text } };

function success(operation: Operation): Json {
  const { status, answer, also = [], isTagged } = operation;
  if (status >= 400) return {};
  const content = status === 204 ? {} : { content: contentOf(operation, answer) };
  const isRead = operation.route.startsWith("GET");
  const known = isTagged && isRead ? { 304: { description: "Not modified" } } : {};
  const others = also.map(([code, description, shape]) => {
    const isFile = code === 206;
    const body = shape || isFile ? { content: contentOf(operation, shape) } : {};
    return [code, { description, ...body }];
  });
  return {
    [status]: {
      description: status === 204 ? "Done; no body" : "Done",
      ...(isTagged ? { headers: etag } : {}),
      ...content,
    },
    ...known,
    ...Object.fromEntries(others),
  };
}

/** The possible refusals of a call; the body of each has a message. */
function refusals(operation: Operation, verb: string, path: string): Json {
  const codes = [
    ...(operation.body || operation.search || operation.consumes ? [400] : []),
    401,
    403,
    ...(path.includes("{") ? [404] : []),
    ...(path.startsWith("/records/{") && verb === "GET" ? [410] : []),
    ...(operation.isGuarded ? [412] : []),
    ...(operation.body || operation.consumes ? [413, 415] : []),
    ...(operation.onlyOn === undefined ? [503] : []),
  ];
  const refused = { $ref: "#/components/responses/Refused" };
  return { ...Object.fromEntries(codes.map((code) => [code, refused])), default: refused };
}

function describe(operation: Operation): Json {
  const { tag, route, summary } = operation;
  const [verb = "", path = ""] = route.split(" ");
  const words = path
    .replace(/[{}]/g, "")
    .split(/[^A-Za-z]+/)
    .filter(Boolean);
  return {
    tags: [tag],
    operationId: [verb.toLowerCase(), ...words].join("_"),
    summary,
    parameters: parametersOf(operation, verb, path),
    ...requestBody(operation),
    responses: { ...success(operation), ...refusals(operation, verb, path) },
  };
}

/** The OpenAPI 3.1 document of a host's API; bodies and answers are made from zod schemas. */
export function openApiDocument(baseUrl: string, version: string, role: "server" | "replica"): Json {
  const operations = operationsOf(role);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const [verb = "", path = ""] = operation.route.split(" ");
    paths[path] = { ...paths[path], [verb.toLowerCase()]: describe(operation) };
  }
  const failed = { "application/json": { schema: shapeOf(errorBody) } };
  return {
    openapi: "3.1.0",
    info: { title: "Carrel", version, description: "Records, files, reviews, people. GET routes answer HEAD as well." },
    servers: [{ url: `${baseUrl}/api` }],
    security: [{ bearer: [] }, {}],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components(),
      parameters: sharedParameters,
      responses: { Refused: { description: "Refused, with a message", content: failed } },
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    },
  };
}
