import { normalForm } from "../kernel/normal-form.ts";
import { isCommonPassword } from "./common-passwords.ts";

/** The user of a new password: an attacker tries these names first. */
export interface Named {
  username: string;
  email: string;
}

const plain = (text: string): string => normalForm(text, "NFKC").trim().toLowerCase();

/** Why a password is easy to guess, as a message for its field; undefined if it is not. */
export async function weaknessOf(password: string, { username, email }: Named): Promise<string | undefined> {
  const names = [username, email, email.split("@")[0] ?? ""].map(plain);
  if (names.includes(plain(password))) return "The password must not be the user name or the e-mail address.";
  if (await isCommonPassword(password)) return "This password is one of the most common ones. Choose another one.";
  return undefined;
}
