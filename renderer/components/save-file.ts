import i18next from "i18next";
import { ApiFailure, reachBytes } from "../api-client/request.ts";
import { showFailure } from "./toast-queue.ts";

function save(href: string, name: string) {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}

/** Says why something cannot be saved now, and what to do. */
export const showNotSaved = (error: unknown, name: string) =>
  showFailure(
    error instanceof ApiFailure && error.status === 503
      ? new Error(i18next.t("state.not_saved", { name, keep: i18next.t("keeping.keep") }))
      : error,
  );

/**
 * Saves what is behind an address of the API. When it cannot be had that is said; a browser would fail without words.
 * @returns whether the browser was given it.
 */
export async function saveFile(href: string, name: string): Promise<boolean> {
  try {
    await reachBytes(href);
    save(href, name);
    return true;
  } catch (error) {
    showNotSaved(error, name);
    return false;
  }
}

/** Saves bytes that the page holds; they are let go when the browser has surely taken them. */
export function saveBlob(blob: Blob, name: string) {
  const address = URL.createObjectURL(blob);
  save(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
