import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { normalForm } from "../kernel/normal-form.ts";

const require = createRequire(import.meta.url);

/**
 * The program of the thread, as text, because a file would need the TypeScript loader. The thread unpacks the list for
 * one password and frees it: new passwords are rare, and the list takes 15 MB and tens of milliseconds.
 */
const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const passwords = require(workerData.library).dictionary["passwords-common"];
  if (passwords.length < 10000) throw new Error("The list of common passwords is not there.");
  parentPort.postMessage(passwords.includes(workerData.password));
`;

/** Whether a password, ignoring case, is one of the 49,000 most common ones (`@zxcvbn-ts/language-common`). */
export function isCommonPassword(password: string): Promise<boolean> {
  const workerData = {
    library: require.resolve("@zxcvbn-ts/language-common"),
    password: normalForm(password, "NFKC").trim().toLowerCase(),
  };
  const worker = new Worker(program, { eval: true, workerData });
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The list of common passwords could not be read.")));
  });
}
