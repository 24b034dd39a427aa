import { readFileSync } from "node:fs";
import { Failure } from "../shared/kernel/failure.ts";
import { type Settings, settingsSchema } from "../shared/kernel/settings.ts";

/**
 * The settings of a configuration file (JSON); the contract's defaults without one.
 * @throws Failure `unavailable` that names the file and what is wrong in it.
 */
export function readSettings(file: string | undefined): Settings {
  if (file === undefined) return settingsSchema.parse({});
  const refuse = (reason: string) => new Failure("unavailable", `The configuration file ${file} ${reason}.`);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw refuse("cannot be read");
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse("is not JSON");
  }
  const outcome = settingsSchema.safeParse(json);
  if (outcome.success) return outcome.data;
  const reasons = outcome.error.issues.map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`);
  throw refuse(`has mistakes: ${reasons.join("; ")}`);
}
