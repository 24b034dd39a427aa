import { createHash } from "node:crypto";
import type { Request, Response } from "express";
import { type AnswerOptions, answer, answerIfKnown, answerText } from "../kernel/answer.ts";
import { isPublicReader } from "../kernel/caller.ts";
import { invalidField } from "../kernel/failure.ts";
import type { Hits } from "../kernel/hits.ts";
import { jsonType, parametersOf, vendorType } from "../kernel/negotiation.ts";
import { callerOf, type Method } from "../kernel/resource.ts";
import { bibliographyStyles, styleNamed } from "./bibliography.ts";
import type { PresentedRecord } from "./presented-record.ts";
import type { RenderContext } from "./representation.ts";
import { recordTypes, representationOf } from "./representations.ts";
import { signpostDescription } from "./signposts.ts";
import { uiOf } from "./ui.ts";

function knownLocale(tag: string): string | undefined {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0];
  } catch (error) {
    // Not a valid language tag: tries the next one.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The preferred language of `Accept-Language` that the runtime knows; English by default. */
export function localeOf(acceptLanguage: string | undefined): string {
  const wishes = (acceptLanguage ?? "")
    .split(",")
    .map((part, order) => {
      const [tag = "", q] = part.trim().split(/\s*;\s*q\s*=\s*/);
      return { tag, quality: q === undefined ? 1 : Number(q), order };
    })
    .filter(({ tag, quality }) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(tag) && quality > 0)
    .sort((a, b) => b.quality - a.quality || a.order - b.order);
  for (const { tag } of wishes) {
    const known = knownLocale(tag);
    if (known !== undefined) return known;
  }
  return "en";
}

const citationType = "text/x-bibliography";

/** A method that answers with records in all their types (records 10). */
export const asRecord = (handle: Method["handle"]): Method => ({ produces: recordTypes, handle });

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/**
 * Style and language come from the query, else from the parameters of the type in `Accept`.
 * @throws Failure 400 for an unknown `style`.
 */
function contextOf(req: Request): RenderContext {
  const wished = parametersOf(req.headers.accept, citationType);
  const styleName = textOf(req.query.style) ?? textOf(wished.get("style")) ?? "apa";
  const style = styleNamed(styleName);
  if (req.res?.locals.produces === citationType && style === undefined) {
    throw invalidField("style", `Unknown citation style. Must be one of: ${bibliographyStyles.join(", ")}.`);
  }
  const locale = localeOf(textOf(req.query.locale) ?? textOf(wished.get("locale")) ?? req.headers["accept-language"]);
  return { locale, style: style ?? "apa", hasPages: req.app.locals.hasPages === true };
}

const chosenType = (res: Response): string => (res.locals.produces as string | undefined) ?? jsonType;

/** Reads of published records in any type name their link set and their page. */
function signpost(req: Request, res: Response, { is_published, links }: PresentedRecord): void {
  const isRead = req.method === "GET" || req.method === "HEAD";
  if (!isRead || is_published === false || !links?.self || !links.self_html) return;
  signpostDescription(res, { self: links.self, page: links.self_html });
}

/**
 * Writes a record or draft in the type negotiated among `recordTypes` (records 10).
 * @param body the JSON body of the record or draft, as records 3.5 describes it.
 */
export async function answerRecord(
  req: Request,
  res: Response,
  status: number,
  body: Record<string, unknown>,
  options: AnswerOptions = {},
): Promise<void> {
  const type = chosenType(res);
  const record = body as Record<string, unknown> & PresentedRecord;
  const context = contextOf(req);
  res.vary("Accept");
  signpost(req, res, record);
  if (type === jsonType) return answer(req, res, status, body, options);
  res.vary("Accept-Language, Accept-Encoding");
  if (type === vendorType) return answer(req, res, status, { ...body, ui: uiOf(record, context.locale) }, options);
  for (const [name, value] of Object.entries(options.headers ?? {})) res.setHeader(name, value);
  const { mediaType, sentAs = mediaType, render } = representationOf(type);
  const text = render(record, context);
  if (isPublicReader(callerOf(req))) res.setHeader("Cache-Control", "public, no-cache");
  // The revision is the ETag of the JSON body (records 1.4). Other types have one of their own text.
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  if (!answerIfKnown(req, res, status, etag)) await answerText(req, res, status, sentAs, text);
}

/** Adds `ui` to records. */
async function* withUi(hits: Hits<PresentedRecord>, locale: string): AsyncGenerator<object> {
  for await (const record of hits) yield { ...record, ui: uiOf(record, locale) };
}

/** Writes a search answer in the type negotiated among `recordTypes`. `envelope` is its JSON, with `hits`. */
export async function answerRecordList(req: Request, res: Response, envelope: Record<string, unknown>): Promise<void> {
  const type = chosenType(res);
  // Titles in facets depend on the caller's language.
  res.vary("Accept, Accept-Language");
  if (type === jsonType) return answer(req, res, 200, envelope);
  const { hits } = envelope.hits as { hits: Hits<PresentedRecord> };
  const context = contextOf(req);
  if (type !== vendorType) {
    const { mediaType, sentAs = mediaType, renderList } = representationOf(type);
    return answerText(req, res, 200, sentAs, renderList(hits, envelope, context));
  }
  const shown = withUi(hits, context.locale);
  await answer(req, res, 200, { ...envelope, hits: { ...(envelope.hits as object), hits: shown } });
}
