import { useQuery } from "@tanstack/react-query";
import { createContext, useCallback, useContext, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Metadata, Problem } from "../../api-client/record-types.ts";
import { draftFilesQuery } from "../../api-client/records.ts";
import { wordsOf } from "../../api-client/request.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { allProblems, type DraftContent, isSame, missing } from "./draft-content.ts";
import type { DraftSession } from "./draft-session.ts";
import type { DraftView } from "./draft-view.ts";

interface DraftContextValue {
  session: DraftSession;
  /** Fields that the user has left. Only their problems are shown, until everything is checked. */
  touched: ReadonlySet<string>;
  touch: (field: string) => void;
  isChecked: boolean;
  /** The draft is gone, or closed to this user. */
  isLost: boolean;
}

export const DraftContext = createContext<DraftContextValue | null>(null);

function useDraftContext(): DraftContextValue {
  const value = useContext(DraftContext);
  if (!value) throw new Error("This field must be inside the draft editor.");
  return value;
}

/** The whole view, which changes with each letter. What shows only a part of it uses `useDraftPart` instead. */
export function useDraft() {
  const value = useDraftContext();
  const view = useSyncExternalStore(value.session.subscribe, value.session.current);
  return { ...value, view };
}

/**
 * A part of the view. Renders again only when this part changes.
 * @param select must return the same object while the part is unchanged
 */
export function useDraftPart<T>(select: (view: DraftView) => T): T {
  const { session } = useDraftContext();
  return useSyncExternalStore(session.subscribe, () => select(session.current()));
}

/** Like `useDraftPart`, for values computed from the view: an equal result is the same object. */
export function useMadePart<T>(make: (view: DraftView) => T): T {
  const last = useRef<{ made: T }>(undefined);
  return useDraftPart((view) => {
    const made = make(view);
    if (!last.current || !isSame(last.current.made, made)) last.current = { made };
    return last.current.made;
  });
}

/** Which fields show their problems. */
export function useShownProblems() {
  const { touched, touch, isChecked } = useDraftContext();
  return { touch, isShown: (field: string) => isChecked || touched.has(field), isChecked };
}

interface Reported extends Problem {
  /** A non-Carrel server did not store the value. Such a problem is shown even before the user leaves the field. */
  isOfUpstream?: true;
}

/** Problems that the last save reported, and values that a non-Carrel server did not store. */
function useReportedProblems() {
  const { t } = useTranslation();
  // Selects only the name, because the rest of the status changes with each sent operation.
  const { data: name = "" } = useQuery({ ...syncStatusQuery, select: ({ upstream }) => upstream?.name });
  return (reported: readonly Problem[], notTaken: readonly Problem[] = []): Reported[] => {
    const upstreamProblems = notTaken.map(({ field, messages }): Reported => {
      const words = t("upstream.not_taken", { name, reason: messages.join(" ") });
      return { field, messages: [words], isOfUpstream: true };
    });
    const own = reported.filter(({ field }) => !notTaken.some((other) => other.field === field));
    return [...upstreamProblems, ...own];
  };
}

const belongsTo = (problem: Problem, field: string) => problem.field === field || problem.field.startsWith(`${field}.`);

/**
 * The text of the first problem that is reported at or below a path, such as `access`.
 * @param isShown false as long as the user has not left the field
 */
export function useReported(path: string, isShown: boolean): string | undefined {
  const reportedOf = useReportedProblems();
  return useDraftPart(({ reported, body }) => {
    const first = reportedOf(reported, body.sync?.not_taken).find((one) => belongsTo(one, path));
    return isShown || first?.isOfUpstream ? wordsOf(first) : undefined;
  });
}

const isOfEntry = (problem: Problem, field: string) => /^[.]\d+([.]|$)/.test(problem.field.slice(field.length));

/** The server's problem with one entry of a list. It is shown at once, because the user has finished the entry. */
export function useEntryProblem(field: string): (index: number) => string | undefined {
  const reportedOf = useReportedProblems();
  const reported = useDraftPart((view) => view.reported);
  const notTaken = useDraftPart(({ body }) => body.sync?.not_taken);
  const problems = reportedOf(reported, notTaken);
  return (index) => wordsOf(problems.find((one) => belongsTo(one, `${field}.${index}`)));
}

/** The value of a metadata field, its setter, and its problem once the user has left it. */
export function useField<K extends keyof Metadata & string>(key: K) {
  const session = useDraftSession();
  const { isShown, touch } = useShownProblems();
  const field = `metadata.${key}`;
  const { t } = useTranslation();
  const reportedOf = useReportedProblems();
  const problemsIn = ({ content, reported, body }: DraftView) =>
    allProblems(content, reportedOf(reported, body.sync?.not_taken)).filter((one) => belongsTo(one, field));
  const shownWords = (one: Reported | undefined) => {
    if (!isShown(field) && !one?.isOfUpstream) return undefined;
    return one?.messages[0] === missing ? t("draft.missing") : wordsOf(one);
  };
  const set = useCallback(
    (value: Metadata[K] | undefined) => {
      // Reads the current content, because an open menu may call the setter of an earlier render.
      const now = session.current().content;
      const metadata: Metadata = { ...now.metadata };
      if (value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) delete metadata[key];
      else metadata[key] = value;
      session.change({ ...now, metadata });
    },
    [session, key],
  );
  return {
    value: useDraftPart(({ content }) => content.metadata[key]),
    problem: useDraftPart((view) => shownWords(problemsIn(view)[0])),
    /** The problem of the list itself, where each entry shows its own. */
    ownProblem: useDraftPart((view) => shownWords(problemsIn(view).find((one) => !isOfEntry(one, field)))),
    id: `field-${field}`,
    onBlur: () => touch(field),
    set,
  };
}

/** The whole content that the editor changes. Fields use `useField` or `useContentPart`: this changes with each letter. */
export function useContent() {
  const session = useDraftSession();
  return {
    content: useDraftPart(({ content }) => content),
    change: (part: Partial<DraftContent>) => session.change({ ...session.current().content, ...part }),
  };
}

/** A part outside metadata, and a function that sets some of its members. Renders again only when the part changes. */
export function useContentPart<K extends Exclude<keyof DraftContent, "metadata">>(key: K) {
  const session = useDraftSession();
  const change = (members: Partial<DraftContent[K]>) => {
    const { content } = session.current();
    session.change({ ...content, [key]: { ...content[key], ...members } });
  };
  return [useDraftPart(({ content }) => content[key]), change] as const;
}

/** Whether the draft is gone, or closed to this user: what needs the draft on the host is not offered. */
export const useIsLost = (): boolean => useDraftContext().isLost;

/** The session alone, for components that show nothing of the draft. */
export const useDraftSession = (): DraftSession => useDraftContext().session;

/** All problems that block publishing, with the current files. */
export function useProblems(): Problem[] {
  const { t } = useTranslation();
  const session = useDraftSession();
  const { data } = useQuery(draftFilesQuery(session.id));
  const reportedOf = useReportedProblems();
  const problems = useMadePart(({ content, reported, body }) =>
    allProblems(content, reportedOf(reported, body.sync?.not_taken)).filter(({ field }) => field !== "files.enabled"),
  );
  const hasFiles = useDraftPart(({ content }) => content.files.enabled);
  const entries = data?.entries ?? [];
  if (data && hasFiles && entries.length === 0)
    return [{ field: "files", messages: [t("draft.no_files")] }, ...problems];
  if (entries.some(({ status }) => status === "pending"))
    return [{ field: "files", messages: [t("draft.files_pending")] }, ...problems];
  return problems;
}
