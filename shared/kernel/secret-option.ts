import { readFileSync } from "node:fs";
import { UsageError } from "./usage-error.ts";

/** The ways in which a command may get a secret. */
export interface SecretOptions {
  /** The option's name without dashes: `token`; its file is `<name>-file`, its variable `CARREL_<NAME>`. */
  name: string;
  /** The secret itself, as an argument. */
  argument: string | undefined;
  /** A file that holds it, or `-` for standard input. */
  file: string | undefined;
}

/** The secret of a command line, and a warning to print once the rest of the command line is known to be right. */
export interface Secret {
  value: string | undefined;
  /** Present when the secret is an argument, which every account of the computer can read. */
  warning?: string;
}

const maxBytes = 64 * 1024;
const standardInput = 0;

function readSecret(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file === "-" ? standardInput : file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new UsageError(`--${name}-file cannot be read (${code}).`);
  }
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "" || text.length > maxBytes || /[\r\n]/.test(secret)) {
    throw new UsageError(`--${name}-file must hold one line with the ${name}.`);
  }
  return secret;
}

/** Removes a secret from the environment, so that child processes do not inherit it. */
function takeVariable(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  const variable = `CARREL_${name.toUpperCase()}`;
  const secret = environment[variable];
  delete environment[variable];
  return secret === "" ? undefined : secret;
}

/**
 * The secret of a command: from a file or standard input, else from the environment. An argument works too, with a
 * warning: every account of a computer can list the arguments of all programs. The caller prints the warning, because a
 * usage error is one line (hosts-and-sync 1).
 * @throws UsageError when the secret is given twice, or its file cannot be read.
 */
export function secretOption(options: SecretOptions, environment = process.env): Secret {
  const { name, argument, file } = options;
  const variable = takeVariable(name, environment);
  if (argument !== undefined && file !== undefined) {
    throw new UsageError(`--${name} and --${name}-file exclude each other.`);
  }
  if (file !== undefined) return { value: readSecret(name, file) };
  if (argument === undefined) return { value: variable };
  return {
    value: argument,
    warning: `Every account of this computer can read --${name}: use --${name}-file or the variable CARREL_${name.toUpperCase()}.`,
  };
}
