import { ApiFailure, wordsOf } from "../api-client/request.ts";

export interface Toast {
  id: number;
  tone: "ok" | "danger";
  text: string;
  action?: { label: string; onAction: () => void };
}

const shownMs = 6000;
let toasts: Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a short message in the corner. Refusals stay until closed, others leave after six seconds. */
export function showToast(toast: Omit<Toast, "id">) {
  const id = nextId++;
  // A repeated message replaces the earlier one.
  const others = toasts.filter(({ tone, text, action }) => action || tone !== toast.tone || text !== toast.text);
  set([...others.slice(-3), { ...toast, id }]);
  if (toast.tone === "ok") setTimeout(() => closeToast(id), shownMs);
}

export const closeToast = (id: number) => set(toasts.filter((toast) => toast.id !== id));

/** What is wrong with a value says more than that one is wrong. */
const reasonOf = (error: Error): string =>
  (error instanceof ApiFailure ? wordsOf(error.problems[0]) : undefined) ?? error.message;

/** Shows the reason of a failed call. */
export const showFailure = (error: unknown) =>
  showToast({ tone: "danger", text: error instanceof Error ? reasonOf(error) : String(error) });

export const currentToasts = () => toasts;

export function subscribeToasts(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
