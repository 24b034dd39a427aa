import type { Request, Response } from "express";
import type { z } from "zod";
import { Failure } from "../../shared/kernel/failure.ts";
import { callerOf, smallBodyBytes } from "../../shared/kernel/resource.ts";
import { refusalInWords } from "../pages/refusal-words.ts";
import type { Problem } from "./account-pages.ts";
import { accountWords as words } from "./account-words.ts";

export const fieldsOf = (req: Request): Record<string, string> =>
  Object.fromEntries((req.body as URLSearchParams | undefined) ?? []);

/** What a refusal says on the page. Sets `Retry-After`. @throws the error if it is not about what the user sent. */
export function problemOf(res: Pick<Response, "setHeader">, error: unknown): { status: number; problem: Problem } {
  if (!(error instanceof Failure) || error.status >= 500) throw error;
  if (error.kind === "too_many") {
    for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
    const minutes = Math.ceil(Number(error.headers["Retry-After"] ?? 60) / 60);
    return { status: 429, problem: { message: words.signIn.limited(minutes) } };
  }
  const [first] = error.problems;
  if (!first) return { status: error.status, problem: { message: refusalInWords(error.message) } };
  return {
    status: error.status,
    problem: { field: first.field, message: first.messages.map(refusalInWords).join(" ") },
  };
}

/** The first problem of fields, as on the API. */
export function problemIn(error: z.ZodError): Problem {
  const [issue] = error.issues;
  const field = String(issue?.path[0] ?? "");
  return { field, message: field === "password" ? words.passwordLength : refusalInWords(issue?.message ?? "") };
}

/** Whether the caller is signed in in this browser. */
export const isSignedIn = (req: Request): boolean => callerOf(req).via === "session";

type Handle = (req: Request, res: Response) => Promise<void>;

/** A GET of a page, and a POST of its form. */
export const page = (handle: Handle) => ({ produces: [], handle }) as const;
export const form = (handle: Handle) =>
  ({ consumes: "form", produces: [], scope: "none", maxBytes: smallBodyBytes, handle }) as const;

export function leadTo(res: Response, path: string): void {
  res.setHeader("Cache-Control", "no-store");
  res.redirect(303, path);
}
