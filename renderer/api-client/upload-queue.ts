import { createEntries, type RefusedFile } from "./file-entries.ts";
import { compareFile, forgetMark, keepMark, moveMark } from "./file-marks.ts";
import { has, isReached } from "./host.ts";
import { queryClient } from "./query-client.ts";
import type { FileName } from "./record-types.ts";
import { commitFile, renameFiles } from "./records.ts";
import { ApiFailure } from "./request.ts";
import { OtherUpload, uploadContent } from "./upload.ts";

export type UploadState = "queued" | "sending" | "paused" | "failed";

/** `stored`: the host has the whole file; the page still shows the draft without it. */
type TaskState = UploadState | "stored";

export interface Upload {
  key: string;
  size: number;
  sent: number;
  bytesPerSecond: number;
  state: UploadState;
  /** Another file than the one of before the reload; it is sent from its first byte. */
  isOther: boolean;
  reason?: string;
}

interface Task extends Omit<Upload, "state"> {
  state: TaskState;
  draftId: string;
  file: File;
  /** The server holds bytes of this file and of no other one. */
  isBegun: boolean;
  /** Names the upload on the server. */
  tag?: string | undefined;
  /** The host has all bytes; the commit is missing, or its answer was lost. */
  isSent: boolean;
  abort?: AbortController;
  mark: { at: number; sent: number };
}

// Uploads continue after their page was left.
const atOnce = 2;
const speedWindowMs = 400;
let tasks: Task[] = [];
const listeners = new Set<() => void>();
let views = new Map<string, Upload[]>();
const none: Upload[] = [];
/** By draft, until the user has read them. */
const refused = new Map<string, RefusedFile[]>();
const noRefused: RefusedFile[] = [];

const isActive = ({ state }: Task): boolean => state === "sending" || state === "queued";

/** A browser, and the window of the desktop app, ask before they close a page that still sends files. */
const warnOfUploads = (event: BeforeUnloadEvent): void => {
  if (tasks.some(isActive)) event.preventDefault();
};

function tell() {
  views = new Map();
  for (const { draftId, key, size, sent, bytesPerSecond, state: inner, isOther, reason } of tasks) {
    const state = inner === "stored" ? "sending" : inner;
    const view = { key, size, sent, bytesPerSecond, state, isOther, ...(reason ? { reason } : {}) };
    views.set(draftId, [...(views.get(draftId) ?? []), view]);
  }
  for (const listener of listeners) listener();
}

function progress(task: Task, sent: number) {
  const now = performance.now();
  task.sent = sent;
  const passed = now - task.mark.at;
  if (passed < speedWindowMs) return;
  const speed = ((sent - task.mark.sent) / passed) * 1000;
  task.bytesPerSecond = task.bytesPerSecond ? task.bytesPerSecond * 0.7 + speed * 0.3 : speed;
  task.mark = { at: now, sent };
  tell();
}

async function sendContent(task: Task, signal: AbortSignal) {
  const { draftId, key, file } = task;
  const { mark, tag: before, isSame, isOther } = await compareFile(draftId, key, file);
  task.isOther ||= isOther;
  if (!isSame) forgetMark(draftId, key);
  const onBegun = (tag: string | undefined) => {
    task.isBegun = true;
    task.tag = tag;
    if (mark !== undefined) keepMark(draftId, key, { mark, tag });
  };
  const calls = { signal, onBegun, onProgress: (sent: number) => progress(task, sent) };
  const earlier = { isSame: isSame || task.isBegun, tag: task.tag ?? (isSame ? before : undefined) };
  await uploadContent(draftId, key, { file, ...earlier }, calls);
}

/** Without an answer of the server, or with one of a proxy before it. */
const isCut = (error: unknown): boolean => error instanceof ApiFailure && [0, 502, 503, 504].includes(error.status);

/** Between two looks for a server that could not be reached. */
const lookMs = 5000;

/** Resumes an upload that was cut, once the server answers again, unless the user did something about it meanwhile. */
async function continueOnceReached(task: Task) {
  if (has("local_files")) return;
  const cut = task.abort;
  const isWaiting = () => task.state === "failed" && task.abort === cut && tasks.includes(task);
  do await new Promise((resolve) => setTimeout(resolve, lookMs));
  while (isWaiting() && !(await isReached()));
  if (!isWaiting()) return;
  task.state = "queued";
  tell();
  next();
}

async function run(task: Task) {
  const abort = new AbortController();
  Object.assign(task, { abort, state: "sending", reason: undefined, bytesPerSecond: 0 });
  task.mark = { at: performance.now(), sent: task.sent };
  tell();
  try {
    if (!task.isSent) await sendContent(task, abort.signal);
    task.isSent = true;
    await commitFile(task.draftId, task.key);
    forgetMark(task.draftId, task.key);
    task.state = "stored";
    void showStored(task.draftId);
  } catch (error) {
    task.isSent &&= isCut(error);
    if (error instanceof OtherUpload) {
      forgetMark(task.draftId, task.key, task.tag);
      task.isBegun = false;
      task.tag = undefined;
    }
    const isPause = error instanceof DOMException && error.name === "AbortError";
    task.state = isPause ? "paused" : "failed";
    if (!isPause) task.reason = error instanceof Error ? error.message : String(error);
    if (!isPause && isCut(error)) void continueOnceReached(task);
  }
  tell();
  next();
}

/** Between two readings of the draft while more files are sent. */
const showMs = 500;
const refreshing = new Set<string>();

/** Reads the draft again for all files that are stored by then: once at a time, however many small files follow. */
async function showStored(draftId: string) {
  if (refreshing.has(draftId)) return;
  refreshing.add(draftId);
  const isStored = (task: Task) => task.draftId === draftId && task.state === "stored";
  for (let shown = tasks.filter(isStored); shown.length > 0; shown = tasks.filter(isStored)) {
    // The page of the draft shows this failure.
    await queryClient.invalidateQueries({ queryKey: ["draft", draftId] }).catch(() => undefined);
    tasks = tasks.filter((task) => !shown.includes(task));
    tell();
    if (tasks.some((task) => task.draftId === draftId && task.state === "sending"))
      await new Promise((resolve) => setTimeout(resolve, showMs));
  }
  refreshing.delete(draftId);
}

function next() {
  const running = tasks.filter(({ state }) => state === "sending").length;
  for (const task of tasks.filter(({ state }) => state === "queued").slice(0, atOnce - running)) void run(task);
}

/** Replaces an earlier upload under the name, which would send its bytes into the new one. */
const enqueue = (draftId: string, key: string, file: File) => {
  addEventListener("beforeunload", warnOfUploads);
  for (const earlier of of(draftId, key)) earlier.abort?.abort();
  tasks = [
    ...tasks.filter((task) => task.draftId !== draftId || task.key !== key),
    {
      draftId,
      key,
      file,
      size: file.size,
      sent: 0,
      bytesPerSecond: 0,
      state: "queued",
      isOther: false,
      isBegun: false,
      isSent: false,
      mark: { at: 0, sent: 0 },
    },
  ];
};

/**
 * Adds files to a draft and uploads them, two at a time. The names must be free. A name that the host refuses holds up no
 * other file: `refusedOf` has it then.
 */
export async function addUploads(draftId: string, given: { key: string; file: File }[]) {
  const { files, refused: bad } = await createEntries(draftId, given);
  if (bad.length > 0) {
    refused.set(draftId, [...refusedOf(draftId), ...bad]);
    tell();
  }
  await queryClient.invalidateQueries({ queryKey: ["draft", draftId] });
  for (const { key, file } of files) enqueue(draftId, key, file);
  tell();
  next();
}

/** Resumes pending uploads of before a reload. @returns the files that are not those of then. */
export async function continueSame<T extends { key: string; file: File }>(draftId: string, files: T[]): Promise<T[]> {
  const compared = await Promise.all(files.map(({ key, file }) => compareFile(draftId, key, file)));
  const same = files.filter((_file, at) => compared[at]?.isSame);
  for (const { key, file } of same) continueUpload(draftId, key, file);
  return files.filter((file) => !same.includes(file));
}

/** Resumes a pending upload of before a reload. Another file than then is sent from its first byte. */
export function continueUpload(draftId: string, key: string, file: File) {
  enqueue(draftId, key, file);
  tell();
  next();
}

const of = (draftId: string, key?: string) =>
  tasks.filter((task) => task.draftId === draftId && (key === undefined || task.key === key));

function pause(task: Task) {
  if (task.state === "sending") task.abort?.abort();
  if (task.state === "queued") task.state = "paused";
}

export function pauseUploads(draftId: string, key?: string) {
  of(draftId, key).forEach(pause);
  tell();
}

/**
 * Renames files of a draft. Their uploads wait meanwhile and go on under the new names: the host keeps the bytes.
 * @throws ApiFailure 400 for a name that is taken or not valid.
 */
export async function renameFilesAndUploads(draftId: string, names: readonly FileName[]) {
  const uploads = names.flatMap(({ key, new_key }) =>
    of(draftId, key).map((task) => ({ task, new_key, isActive: isActive(task) })),
  );
  for (const { task } of uploads) pause(task);
  try {
    await renameFiles(draftId, names);
    for (const { task, new_key } of uploads) {
      moveMark(draftId, task.key, new_key);
      task.key = new_key;
    }
  } finally {
    for (const { task, isActive } of uploads) if (isActive && task.state === "paused") task.state = "queued";
    tell();
    next();
  }
}

export function resumeUploads(draftId: string, key?: string) {
  for (const task of of(draftId, key)) if (task.state === "paused" || task.state === "failed") task.state = "queued";
  tell();
  next();
}

/** Removes an upload from the queue. The caller deletes the entry. */
export function dropUpload(draftId: string, key: string) {
  for (const task of of(draftId, key)) task.abort?.abort();
  tasks = tasks.filter((task) => task.draftId !== draftId || task.key !== key);
  forgetMark(draftId, key);
  tell();
}

export const uploadsOf = (draftId: string) => views.get(draftId) ?? none;

/** The files that were not added because of their names. */
export const refusedOf = (draftId: string) => refused.get(draftId) ?? noRefused;

export function forgetRefused(draftId: string) {
  refused.delete(draftId);
  tell();
}

export function subscribeUploads(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
