import type { Page } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { addFile, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";

/** Creates a draft with files. */
export async function givenFiles(host: RunningReplica, ...keys: string[]) {
  const near = new HttpClient(host.url, host.guard.secret);
  const id = await givenDraft(near);
  for (const key of keys) await addFile(near, id, key, `content of ${key}`);
  return { near, id };
}

/** The tree of a draft's files. */
export const files = (page: Page) => page.getByRole("treegrid", { name: "Files" });

export const file = (page: Page, name: string) => files(page).getByText(name, { exact: true });

/** Drops empty files on the page. */
export const dropFiles = (page: Page, names: string[]) =>
  page.evaluate((dropped) => {
    const dataTransfer = new DataTransfer();
    for (const name of dropped) dataTransfer.items.add(new File([], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, names);
