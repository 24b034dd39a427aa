import { normalForm } from "../kernel/normal-form.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** Whose password it is to be: names that a guesser tries first. */
export interface Named {
  username: string;
  email: string;
}

const plain = (text: string): string => normalForm(text, "NFKC").trim().toLowerCase();

/** Why a password is too easy to guess, as a sentence for its field; undefined for one that is not. */
export async function weaknessOf(password: string, { username, email }: Named): Promise<string | undefined> {
  const names = [username, email, email.split("@")[0] ?? ""].map(plain);
  if (names.includes(plain(password))) return "The password must not be the user name or the e-mail address.";
  if (await isCommonPassword(password)) return "This password is one of the most common ones. Choose another one.";
  return undefined;
}
