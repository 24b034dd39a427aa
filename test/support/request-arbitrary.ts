import fc from "fast-check";
import type { ApiDocument, DescribedCall } from "./api-document.ts";

/** One request to send. */
export interface FuzzedRequest {
  /** Caller: a key of the fixture's credentials. */
  caller: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

/** Existing ids by path placeholder. */
export type KnownIds = Record<string, readonly string[]>;

type Schema = Record<string, unknown>;

const hostileTexts = [
  ...["", " ", ".", "..", "../../etc/passwd", "a/b", "%", "%00", "\u0000", "\ud800", "\u202e", "é", "🐢"],
  ...["'", '"', "' OR 1=1 --", "; DROP TABLE draft", "*", "NEAR(a b)", "{title}:", "__proto__", "constructor"],
  ...["-1", "0", "1e999", "9007199254740993", "99999999999999999999", "NaN", "null", "true", "x".repeat(300)],
  ...["<script>x</script>", "javascript:x", "00000-00000", "00000000-0000-4000-8000-000000000000", "0000-00-00"],
];
const hostileText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ maxLength: 20 }));
const hostileJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hostileText,
  fc.constantFrom<unknown>(null, true, -1, 0.5, 2 ** 53, [], {}, [[]], [null], { __proto__: null }),
);

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Text for a placeholder: mostly an existing id, sometimes arbitrary or badly encoded. */
function pathPart(name: string, ids: KnownIds): fc.Arbitrary<string> {
  const real = ids[name] ?? [];
  return fc.oneof(
    { weight: real.length > 0 ? 8 : 0, arbitrary: fc.constantFrom(...(real.length > 0 ? real : ["x"])).map(encoded) },
    { weight: 2, arbitrary: hostileText.map((text) => encoded(text) || "%20") },
    { weight: 1, arbitrary: fc.constantFrom("%E0%A4%A", "%ff", "..%2f..%2fx", "%2e%2e", "a%00b", "a+b") },
  );
}

function pathOf(call: DescribedCall, ids: KnownIds): fc.Arbitrary<string> {
  const parts = call.path.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) return fc.constant(part);
    const owner = `${call.path.split("/")[1]}.${name}`;
    return pathPart(ids[owner] ? owner : name, ids);
  });
  return fc.tuple(...parts).map((texts) => `/api${texts.join("")}`);
}

/** A value that roughly fits a schema. */
function anyOfShape(document: ApiDocument, schema: Schema, ids: KnownIds, depth = 0): fc.Arbitrary<unknown> {
  const inner = (of: unknown) => anyOfShape(document, of as Schema, ids, depth + 1);
  if (typeof schema.$ref === "string") return inner(document.resolve(schema.$ref));
  if (depth > 6) return fc.constant(null);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.anyOf)) return fc.oneof(...schema.anyOf.map(inner));
  if (schema.properties) {
    const members = Object.entries(schema.properties as Schema).map(([key, of]) => [key, inner(of)] as const);
    return fc.record(Object.fromEntries(members), { requiredKeys: (schema.required as string[]) ?? [] });
  }
  if (schema.items) return fc.array(inner(schema.items), { maxLength: 2 });
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "integer" || schema.type === "number") return fc.integer({ min: -2, max: 100 });
  if (schema.type === "string") {
    const realistic = ["dataset", "eng", "2020-01-01", "2999-01-01", "10.1234/x", "view", ...Object.values(ids).flat()];
    return fc.oneof(fc.constantFrom(...realistic), hostileText);
  }
  return fc.jsonValue({ maxDepth: 2 });
}

/** The value with one part replaced. */
const spoiled = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(value, fc.nat(), hostileJson).map(([whole, n, part]) => {
    if (typeof whole !== "object" || whole === null) return part;
    const keys = Object.keys(whole);
    const key = keys[n % Math.max(1, keys.length)] ?? "colour";
    return Array.isArray(whole) ? [...whole, part] : { ...whole, [key]: part };
  });

const deep = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);
const oddBodies = [
  ...["", " ", "null", "[]", "{}", "5", '"x"', "{", "[1,", "{'a':1}", "NaN", '{"a":1}{"b":2}', "\ufeff{}"],
  ...['{"metadata":{"title":"\\ud800"}}', '{"metadata":{"title":"a\\u0000b"}}', '{"a":1e999}', '{"__proto__":{"a":1}}'],
  ...['{"metadata":{},"metadata":{"title":"x"}}', deep(2000, "[", "]"), deep(2000, '{"a":', "}").replace(":}", ":1}")],
  `{"metadata":${deep(3000, '{"creators":[', "]}")}}`,
  `{"payload":{"content":"${"<b>".repeat(3000)}"}}`,
].map((text) => Buffer.from(text));
const oddBytes = [Buffer.from([0xff, 0xfe, 0x7b, 0]), Buffer.from([0x22, 0xff, 0x22]), Buffer.from("{}", "utf16le")];

function bodyOf(document: ApiDocument, call: DescribedCall, ids: KnownIds): fc.Arbitrary<Buffer | undefined> {
  const odd = fc.constantFrom<Buffer>(...oddBodies, ...oddBytes);
  const [found] = Object.entries(call.requestBody?.content ?? {});
  if (!found) {
    return fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd });
  }
  const [type, { schema }] = found;
  if (type !== "application/json") return fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes));
  const fit = anyOfShape(document, schema as Schema, ids);
  const asJson = (value: fc.Arbitrary<unknown>) => value.map((one) => Buffer.from(JSON.stringify(one) ?? "null"));
  return fc.oneof(
    { weight: 4, arbitrary: asJson(fit) },
    { weight: 4, arbitrary: asJson(spoiled(fit)) },
    { weight: 1, arbitrary: asJson(hostileJson) },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** Header values that HTTP permits. */
const headerText = fc.oneof(
  fc.constantFrom(...["", "*", "*/*", "0", "-1", "5", '"5"', 'W/"5"', '"', ",", ";q=", "a;b=c", "x".repeat(2000), "é"]),
  fc.string({ maxLength: 12, unit: fc.constantFrom(..."aZ09 -_.,;=/*\"'\t()<>@") }),
);
const someOf = (...values: string[]) => fc.oneof(fc.constantFrom(...values), headerText);
const oddHeaders = {
  accept: someOf("application/json", "application/vnd.inveniordm.v1+json", "text/html", "application/x-bibtex;q=0.3"),
  "accept-language": someOf("de, en;q=0.5", "xx-YY-zz", "*"),
  "accept-encoding": someOf("gzip", "br", "identity;q=0", "*;q=0"),
  "content-type": someOf("application/json", "application/json; charset=latin1", "text/plain", "multipart/form-data"),
  "content-encoding": fc.constantFrom("gzip", "br", "identity", "nonsense"),
  "if-match": someOf("1", '"1"', 'W/"1"', '"a", "b"', "99999999999999999999"),
  "if-none-match": someOf('"1"', "*", 'W/"1"'),
  "if-modified-since": someOf("Sat, 21 Nov 2026 00:00:00 GMT"),
  range: someOf(
    "bytes=0-1",
    "bytes=5-",
    "bytes=-1",
    "bytes=9-1",
    "bytes=0-1,3-4",
    "lines=1-2",
    "bytes=99999999999999999999-",
  ),
  "idempotency-key": someOf("one", "two", "x".repeat(255), "x".repeat(256)),
  "upload-offset": someOf("0", "1", "99999999999999999999", "1.5"),
  "upload-complete": someOf("?0", "?1", "1"),
  "upload-length": someOf("0", "10", "?"),
  "repr-digest": someOf("sha-256=:AAAA:", "md5=:AAAA:"),
  prefer: someOf("return=minimal", "respond-async"),
  "x-request-id": someOf("abc", "a b"),
  "x-csrftoken": headerText,
  cookie: someOf("session=x", "csrftoken=y; session=", "=;=;="),
  "x-http-method-override": fc.constantFrom("DELETE"),
  "x-forwarded-for": someOf("1.2.3.4", "::1"),
};
const headers = fc
  .subarray(Object.keys(oddHeaders) as (keyof typeof oddHeaders)[], { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, oddHeaders[name]]))));

const parameterNames = [
  ...["q", "sort", "page", "size", "suggest", "expand", "prettyprint", "token", "access_token", "allversions", "style"],
  ...[
    "is_open",
    "status",
    "type",
    "created_by",
    "topic",
    "resource_type",
    "publication_date",
    "focus_event_id",
    "scope",
  ],
  ...["shared_with_me", "is_managed", "include_deleted", "download", "depth", "locale", "__proto__", "a[b]", "tags"],
];
const parameterValue = fc.oneof(
  fc.constantFrom("1", "0", "2", "true", "newest", "bestmatch", "title:x AND (", "[2000 TO *]", "user:1", "server"),
  fc.constantFrom("metadata.title:/a+/ ~2", '"a b"~3', "created:>now-1d", "versions.index:abc", "x".repeat(9000)),
  hostileText,
);
const query = fc
  .array(fc.tuple(fc.constantFrom(...parameterNames), parameterValue), { maxLength: 3 })
  .map((pairs) => pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&"))
  .chain((text) => fc.constantFrom(...[text, text, text, `${text}&q=%ff%00`, "&&==&", `${text}#x`]))
  .map((text) => (text === "" ? "" : `?${text}`));

const verbs = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Requests for the described calls, with existing and unexpected values. */
export function requestArbitrary(document: ApiDocument, ids: KnownIds, callers: string[]): fc.Arbitrary<FuzzedRequest> {
  return fc.constantFrom(...document.calls).chain((call) =>
    fc
      .record({
        caller: fc.constantFrom(...callers),
        method: fc.oneof(
          { weight: 8, arbitrary: fc.constant(call.verb) },
          { weight: 1, arbitrary: fc.constantFrom(...verbs) },
        ),
        path: pathOf(call, ids),
        query: fc.oneof({ weight: 1, arbitrary: query }, { weight: 1, arbitrary: fc.constant("") }),
        headers,
        body: bodyOf(document, call, ids),
      })
      .map(({ query: search, path, body, ...rest }) => {
        const type = Object.keys(call.requestBody?.content ?? {})[0] ?? "application/json";
        const typed = body === undefined ? rest.headers : { "content-type": type, ...rest.headers };
        return { ...rest, headers: typed, path: path + search.split("#")[0], ...(body ? { body } : {}) };
      }),
  );
}
