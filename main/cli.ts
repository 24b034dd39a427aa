#!/usr/bin/env node
import nodeModule from "node:module";
import type { CliCommand } from "../shared/kernel/command-line.ts";
import { diskFull, isDiskFull, isStorageDown, storageDown } from "../shared/kernel/disk-full.ts";
import { Failure } from "../shared/kernel/failure.ts";
import { keepPrivate } from "../shared/kernel/private-files.ts";
import { UsageError } from "../shared/kernel/usage-error.ts";
import { version } from "../shared/version.ts";
import { cacheFolder } from "./desktop/default-folders.ts";

const oldestNode = 24;
// By its default export: older versions lack the names that are used below, and would end with a stack.
if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  process.stderr.write(`Carrel needs Node.js ${oldestNode} or newer. This is ${process.version}.\n`);
  process.exit(1);
}

keepPrivate();
// The cache folder is private, because others could replace compiled code in a shared one.
nodeModule.enableCompileCache(cacheFolder(process.platform, process.env));

/** Each command is loaded only when it is used. */
const commands: Record<string, { does: string; load(): Promise<CliCommand> }> = {
  server: {
    does: "runs the server of a team",
    load: async () => (await import("../server/commands/server.ts")).serverCommand,
  },
  users: {
    does: "creates, invites and lists users, resets passwords",
    load: async () => (await import("../server/commands/users.ts")).usersCommand,
  },
  tokens: {
    does: "creates, lists and revokes API tokens",
    load: async () => (await import("../server/commands/tokens.ts")).tokensCommand,
  },
  groups: {
    does: "creates and lists groups",
    load: async () => (await import("../server/commands/groups.ts")).groupsCommand,
  },
  vocabularies: {
    does: "imports entries of vocabularies",
    load: async () => (await import("../server/commands/vocabularies.ts")).vocabulariesCommand,
  },
  dois: {
    does: "lists and retries DOI registrations",
    load: async () => (await import("../server/commands/dois.ts")).doisCommand,
  },
  mail: {
    does: "lists and retries unsent mail",
    load: async () => (await import("../server/commands/mail.ts")).mailCommand,
  },
  audit: {
    does: "prints the audit log of a server",
    load: async () => (await import("../server/commands/audit.ts")).auditCommand,
  },
  backup: {
    does: "copies the data of a server or replica into one file",
    load: async () => (await import("../server/commands/backup.ts")).backupCommand,
  },
  restore: {
    does: "restores a backup into a new data folder",
    load: async () => (await import("../server/commands/restore.ts")).restoreCommand,
  },
  move: {
    does: "moves a server to PostgreSQL or an S3 bucket, and back",
    load: async () => (await import("../server/commands/move.ts")).moveCommand,
  },
  migrate: {
    does: "brings the database of a server to this version",
    load: async () => (await import("../server/commands/migrate.ts")).migrateCommand,
  },
  reindex: {
    does: "builds the search index in OpenSearch again",
    load: async () => (await import("../server/commands/reindex.ts")).reindexCommand,
  },
  check: {
    does: "verifies a data folder, and repairs it",
    load: async () => (await import("../server/commands/check.ts")).checkCommand,
  },
  desktop: {
    does: "opens the app",
    load: async () => (await import("./commands/desktop.ts")).desktopCommand,
  },
  demo: {
    does: "runs a temporary server with sample data, and a replica",
    load: async () => (await import("./commands/demo.ts")).demoCommand,
  },
  replica: {
    does: "runs a replica without a window",
    load: async () => (await import("./commands/replica.ts")).replicaCommand,
  },
  "upstream-check": {
    does: "tries on an InvenioRDM what Carrel relies on",
    load: async () => (await import("./commands/upstream-check.ts")).upstreamCheckCommand,
  },
};

let serves = false;

/**
 * What a command prints is its result: a command that cannot print it has failed, unless it serves others. A reader that
 * leaves early, such as `head`, needs no message.
 */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") process.stderr.write(`The output cannot be written (${error.code ?? error.message}).\n`);
  if (!serves) process.exit(1);
});
// Without a listener, a message that nobody reads would end the program in the middle of its work.
process.stderr.on("error", () => undefined);

/** What to say of a file that this account may not use. */
function closedFile(error: unknown): Failure | undefined {
  if (!(error instanceof Error && "code" in error && "path" in error) || error.code !== "EACCES") return undefined;
  return new Failure("unavailable", `This account may not use ${error.path} (EACCES). Another account owns it.`);
}

/** What to say of a disk that cannot be used, in place of the error and where it happened. */
function ofDisk(error: unknown): Failure | undefined {
  if (isDiskFull(error)) return diskFull();
  return closedFile(error) ?? (isStorageDown(error) ? storageDown() : undefined);
}

/** Ends the program once everything is printed; otherwise the error above ends it. */
const end = (): boolean => process.stdout.write("", (error) => (error && !serves) || process.exit(0));

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`);
  return `carrel <command> [options]\n\n${lines.join("\n")}\n\n'carrel <command> --help' tells more, 'carrel --version' the version.\n`;
}

async function main(args: string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(overview());
    return;
  }
  if (name === "--version" || name === "-V") {
    process.stdout.write(`${version}\n`);
    return;
  }
  if (name === undefined) throw new UsageError("A command is missing. 'carrel --help' lists them.");
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command '${name}'. 'carrel --help' lists them.`);
  const { help, run, serves: isServing = false } = await command.load();
  serves = isServing;
  if (rest.includes("--help") || rest.includes("-h")) process.stdout.write(help);
  else await run(rest);
}

main(process.argv.slice(2)).then(
  () => void end(),
  (cause: unknown) => {
    const error = ofDisk(cause) ?? cause;
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n`);
      process.exit(2);
    }
    const words = error instanceof Failure ? error.describe() : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${words}\n`);
    process.exit(1);
  },
);
