import { system } from "../../shared/kernel/caller.ts";
import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { listRegistrations, retry as retryNow } from "../doi/doi-states.service.ts";
import { withServices } from "../with-services.ts";

async function list(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, { data: { type: "string" } } as const);
  await withServices(required(values.data, "data"), async ({ host }) => {
    for (const state of await listRegistrations(host.db)) printJson(state);
  });
}

async function retry(args: string[]): Promise<void> {
  const { values, positionals } = parseCommandLine(args, { data: { type: "string" } } as const, 1);
  await withServices(required(values.data, "data"), async ({ host }) => {
    const [record] = positionals;
    if (record !== undefined && !(await listRegistrations(host.db)).some((own) => own.record === record))
      throw new Failure("not_found", `There is no record '${record}' with a DOI of this server.`);
    const retried = await retryNow(host.db, record);
    await host.audit(host.db, system, { action: "doi.retry", details: { retried } });
    printJson({ retried });
  });
}

const actions: Record<string, (args: string[]) => Promise<void>> = { list, retry };

/** `carrel dois …`: state of the DOI registrations. */
export const doisCommand: CliCommand = {
  help: `carrel dois list --data DIR
carrel dois retry --data DIR [RECORD]

Prints the DOIs of published records as JSON, one a line, with how their registration stands: waiting, registered,
hidden, outdated, failing (tried again by itself) or refused. retry tries failing and refused ones again: at once when the
server is started, else within a minute.
`,
  async run([name = "", ...args]) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError("carrel dois needs one of: list, retry.");
    await action(args);
  },
};
