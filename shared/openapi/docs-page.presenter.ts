import { docsStyle } from "./docs-style.presenter.ts";

/** The parts of a JSON Schema that the page shows. */
interface Shape {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Shape;
  anyOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape;
}

interface Content {
  content?: Record<string, { schema: Shape }>;
}

interface NamedParameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Shape;
}

interface Call {
  tags: string[];
  summary: string;
  parameters: (NamedParameter | { $ref: string })[];
  requestBody?: Content;
  responses: Record<string, Content & { description?: string }>;
}

/** What the page reads of an OpenAPI document. */
export interface ApiDocument {
  info: { version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Call>>;
  components: { schemas: Record<string, Shape>; parameters: Record<string, NamedParameter> };
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? character);
const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
/** Text in which backquotes mark code. */
const prose = (text: string): string =>
  text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? code(part) : escapeHtml(part)))
    .join("");
const lastOf = (reference: string): string => reference.split("/").at(-1) ?? "";
const anchor = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** A short description of a shape, with links to named shapes. */
function words(shape: Shape): string {
  if (shape.$ref !== undefined) {
    const name = lastOf(shape.$ref);
    return `<a href="#shape-${name}">${name}</a>`;
  }
  if (shape.anyOf) return shape.anyOf.map(words).join(" or ");
  if (shape.enum) return shape.enum.map((value) => code(String(value))).join(", ");
  if (shape.const !== undefined) return code(String(shape.const));
  if (shape.items) return `list of ${words(shape.items)}`;
  if (shape.properties) return "object";
  if (shape.additionalProperties?.$ref) return `${words(shape.additionalProperties)} by name`;
  return escapeHtml([shape.type ?? "anything"].flat().join(" or "));
}

const row = (cells: string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
const table = (heads: string[], rows: string[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;

/** Rows of properties; nested ones have dotted names. */
function propertyRows(shape: Shape, prefix = ""): string[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, property]) => {
    const isList = property.items?.properties !== undefined;
    const mark = shape.required?.includes(name) ? "" : ' <span class="soft">optional</span>';
    const line = row([code(`${prefix}${name}`) + mark, words(property), prose(property.description ?? "")]);
    const inner = isList ? property.items : property;
    return [line, ...(inner ? propertyRows(inner, `${prefix}${name}${isList ? "[]." : "."}`) : [])];
  });
}

function shapeTable(shape: Shape): string {
  const inner = shape.properties ? shape : (shape.items ?? shape);
  const rows = propertyRows(inner);
  return rows.length > 0 ? table(["Field", "Type", "Meaning"], rows) : `<p>${words(shape)}</p>`;
}

function parameterTable(call: Call, { components }: ApiDocument): string {
  const all = call.parameters.map((parameter) =>
    "$ref" in parameter ? components.parameters[lastOf(parameter.$ref)] : parameter,
  );
  const rows = all
    .filter((parameter) => parameter !== undefined)
    .map(({ name, in: where, schema, description = "" }) =>
      row([code(name), `${where}, ${words(schema)}`, prose(description)]),
    );
  return rows.length === 0 ? "" : `<h4>Parameters</h4>${table(["Name", "Where and type", "Meaning"], rows)}`;
}

function bodyTable({ requestBody }: Call): string {
  const [found] = Object.entries(requestBody?.content ?? {});
  if (!found) return "";
  const [type, { schema }] = found;
  return `<h4>Body: ${code(type)}</h4>${shapeTable(schema)}`;
}

function answerTable({ responses }: Call): string {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description = "", content = {} }]) => {
      const types = Object.entries(content).map(([type, { schema }]) => {
        const isNamed = schema.$ref !== undefined || schema.anyOf !== undefined;
        return `${code(type)}${isNamed ? ` ${words(schema)}` : ""}`;
      });
      return row([code(status), types.join("<br>"), prose(description)]);
    });
  return rows.length === 0 ? "" : `<h4>Answers</h4>${table(["Status", "Type", "Meaning"], rows)}`;
}

function callOf(document: ApiDocument, path: string, verb: string, call: Call): string {
  const head = `<code class="verb ${verb}">${verb.toUpperCase()}</code><div><code>/api${escapeHtml(path)}</code><span>${prose(call.summary)}</span></div>`;
  const body = parameterTable(call, document) + bodyTable(call) + answerTable(call);
  return `<details><summary>${head}</summary><div>${body}</div></details>`;
}

function section(document: ApiDocument, tag: string): string {
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, call]) => call.tags.includes(tag))
      .map(([verb, call]) => callOf(document, path, verb, call)),
  );
  return `<section><h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>${calls.join("")}</section>`;
}

function shapesSection({ components }: ApiDocument): string {
  const shapes = Object.entries(components.schemas).map(
    ([name, shape]) =>
      `<h3 id="shape-${name}">${name}</h3><p class="soft">${prose(shape.description ?? "")}</p>${shapeTable(shape)}`,
  );
  return `<section><h2 id="shapes">Shapes</h2>${shapes.join("")}</section>`;
}

/** The API page for people: no script, no external resources. */
export function docsPage(document: ApiDocument): string {
  const title = `Carrel API ${escapeHtml(document.info.version)}`;
  const tags = document.tags.map(({ name }) => name);
  const links = [...tags, "Shapes"].map((tag) => `<li><a href="#${anchor(tag)}">${escapeHtml(tag)}</a></li>`);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title><style>${docsStyle}</style></head><body><div class="page">`,
    `<nav aria-label="Chapters"><ul>${links.join("")}</ul></nav><main><h1>${title}</h1>`,
    '<p>The same for programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).',
    " Send <code>Authorization: Bearer &lt;token&gt;</code>. GET routes answer HEAD as well.",
    ' Every refusal has the shape <a href="#shape-Error">Error</a>.</p>',
    ...tags.map((tag) => section(document, tag)),
    shapesSection(document),
    "</main></div></body></html>",
  ].join("\n");
}
