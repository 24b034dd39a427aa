import i18next from "i18next";
import { ApiFailure, reachBytes } from "../api-client/request.ts";
import { showFailure } from "./toast-queue.ts";

function save(href: string, name: string) {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}

/** Says why a file cannot be saved and what to do. */
export const showNotSaved = (error: unknown, name: string) =>
  showFailure(
    error instanceof ApiFailure && error.status === 503
      ? new Error(i18next.t("state.not_saved", { name, keep: i18next.t("keeping.keep") }))
      : error,
  );

/**
 * Downloads a URL of the API. Shows the reason if it is not available, because a browser would not.
 * @returns whether the download started.
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

/** Saves bytes of the page, and frees them after the browser has taken them. */
export function saveBlob(blob: Blob, name: string) {
  const address = URL.createObjectURL(blob);
  save(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
