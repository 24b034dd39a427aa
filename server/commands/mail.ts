import { system } from "../../shared/kernel/caller.ts";
import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { listMailStates, retryMail } from "../mail/mail-states.service.ts";
import { withServices } from "../with-services.ts";

async function list(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, { data: { type: "string" } } as const);
  await withServices(required(values.data, "data"), async ({ host, services }) => {
    for (const state of await listMailStates(host.db, services.users)) printJson(state);
  });
}

async function retry(args: string[]): Promise<void> {
  const { values, positionals } = parseCommandLine(args, { data: { type: "string" } } as const, 1);
  await withServices(required(values.data, "data"), async ({ host, services }) => {
    const [id] = positionals;
    if (id !== undefined && !(await listMailStates(host.db, services.users)).some((mail) => mail.id === id))
      throw new Failure("not_found", `There is no unsent mail '${id}'.`);
    const retried = await retryMail(host.db, id);
    await host.audit(host.db, system, { action: "mail.retry", details: { retried } });
    printJson({ retried });
  });
}

const actions: Record<string, (args: string[]) => Promise<void>> = { list, retry };

/** `carrel mail …`: lists and retries unsent mail. */
export const mailCommand: CliCommand = {
  help: `carrel mail list --data DIR
carrel mail retry --data DIR [ID]

Prints mail that has not been sent as JSON, one a line: waiting, failing (tried again by itself), or given_up: the mail
server refused it for good, or too often. retry sends failing and given-up mail again within half a minute, for example
after an address was corrected.
`,
  async run([name = "", ...args]) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError("carrel mail needs one of: list, retry.");
    await action(args);
  },
};
