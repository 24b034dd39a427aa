import type { Services } from "../../shared/api.ts";
import { presentAuditEntry } from "../../shared/audit/audit.presenter.ts";
import { auditActions } from "../../shared/audit/audit.schema.ts";
import { type AuditService, auditTime } from "../../shared/audit/audit.service.ts";
import type { Db } from "../../shared/database/open.ts";
import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { isoTime } from "../../shared/kernel/timestamps.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { csvLine } from "../../shared/representations/csv.ts";
import { withServices } from "../with-services.ts";

type AuditFilter = Parameters<AuditService["walk"]>[1];

const options = {
  data: { type: "string" },
  since: { type: "string" },
  until: { type: "string" },
  actor: { type: "string", multiple: true },
  action: { type: "string", multiple: true },
  object: { type: "string", multiple: true },
  outcome: { type: "string" },
  limit: { type: "string", default: "1000" },
  csv: { type: "boolean", default: false },
} as const;

/** @throws UsageError */
function timeOf(option: string, text: string | undefined): number | undefined {
  try {
    return auditTime(option, text);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new UsageError(`--${option} must be a time such as 2026-03-01 or 2026-03-01T12:00:00Z, not '${text}'.`);
  }
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,7}$/.test(text) || limit < 1) throw new UsageError("--limit must be a number from 1 to 9999999.");
  return limit;
}

/** The names given for `--action`. @throws UsageError for one that the log never has. */
function actionsOf(names: readonly string[] = []): readonly string[] {
  const unknown = names.find((name) => !auditActions.some((action) => action === name));
  if (unknown === undefined) return names;
  const areaOf = (name: string): string => name.split(".", 1)[0] ?? "";
  const near = auditActions.filter((action) => areaOf(action) === areaOf(unknown));
  const others = new Set(auditActions.map((action) => `${areaOf(action)}.…`));
  const known = near.length > 0 ? near : [...others];
  throw new UsageError(`--action: there is no action '${unknown}'. There are ${known.join(", ")}.`);
}

/** Actors of entries that are no users. */
const otherActors = ["console", "system", "anonymous"];

/** What the log calls these actors. @throws Failure 404 for one that is no user. */
async function actorsOf(db: Db, { audit, users }: Services, names: readonly string[]): Promise<string[]> {
  for (const name of names) {
    const isKnown =
      otherActors.includes(name) ||
      (await users.findAccount(db, { by: "username", name })) !== undefined ||
      (await users.find(db, name)) !== undefined;
    if (!isKnown) throw new Failure("not_found", `There is no user '${name}'.`);
  }
  return audit.actorIds(db, names);
}

type Entry = Parameters<typeof presentAuditEntry>[0];

/** The newest matching entries, oldest first. Says when there are more. */
async function lastEntries(audit: AuditService, db: Db, filter: AuditFilter, limit: number) {
  const entries: Entry[] = [];
  for await (const entry of audit.walk(db, filter, "newest")) {
    if (entries.length === limit) {
      process.stderr.write(`There are older entries than the ${limit} printed. A higher --limit prints them.\n`);
      break;
    }
    entries.push(entry);
  }
  return entries.reverse();
}

const columns = [
  ...["id", "created", "action", "outcome", "status", "user_id", "username", "email", "via", "credential"],
  ...["ip_address", "object_type", "object_id", "details"],
];

/** The cells of an entry, in the order of the columns. */
function cellsOf(entry: Entry, actor: Parameters<typeof presentAuditEntry>[1]): string[] {
  const { id, at, action, outcome, status, via, credential, address, object_type, object_id, details } = entry;
  const who = [entry.actor, actor?.username, actor?.email];
  const cells = [id, isoTime(at), action, outcome, status, ...who, via, credential, address, object_type, object_id];
  return [...cells.map((cell) => String(cell ?? "")), details];
}

/** `carrel audit`: the audit log of a server, whether or not it runs. */
export const auditCommand: CliCommand = {
  help: `carrel audit --data DIR [--since TIME] [--until TIME] [--actor WHO]… [--action NAME]… [--object ID]…
             [--outcome done|refused] [--limit 1000] [--csv]

Prints the audit log of a server as JSON, one entry a line, oldest first; if there are more than --limit, only the newest,
and a message on stderr.
Works while the server runs.

  --since TIME, --until TIME   ISO 8601, UTC without a zone; until is not included
  --actor WHO     a user name, an id, console, system or anonymous
  --action NAME   such as user.sign-in, token.create, record.delete
  --object ID     the id of a record, request, user, token, …, or the name of a group
  --csv           a table with a header, for a spreadsheet, instead of JSON
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const dataDir = required(values.data, "data");
    const { outcome } = values;
    if (outcome !== undefined && outcome !== "done" && outcome !== "refused") {
      throw new UsageError("--outcome must be done or refused.");
    }
    const since = timeOf("since", values.since);
    const until = timeOf("until", values.until);
    const limit = limitOf(values.limit);
    const action = actionsOf(values.action);
    await withServices(dataDir, async ({ host, services }) => {
      const { audit } = services;
      const filter: AuditFilter = {
        action,
        actor: await actorsOf(host.db, services, values.actor ?? []),
        object: values.object ?? [],
        outcome: outcome === undefined ? [] : [outcome],
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
      };
      const entries = await lastEntries(audit, host.db, filter, limit);
      const actors = await audit.actorsOf(host.db, entries);
      const actorOf = ({ actor }: Entry) => actors.get(actor ?? "");
      if (values.csv) process.stdout.write(csvLine(columns));
      for (const entry of entries) {
        if (values.csv) process.stdout.write(csvLine(cellsOf(entry, actorOf(entry))));
        else printJson(presentAuditEntry(entry, actorOf(entry)));
      }
    });
  },
};
