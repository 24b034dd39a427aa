import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { besideServer } from "../beside-server.ts";
import { listMailStates, retryMail } from "../mail/mail-states.service.ts";

async function list(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, { data: { type: "string" } } as const);
  await besideServer(required(values.data, "data"), async ({ host, services }) => {
    for (const state of await listMailStates(host.db, services.users)) printJson(state);
  });
}

async function retry(args: string[]): Promise<void> {
  const { values, positionals } = parseCommandLine(args, { data: { type: "string" } } as const, 1);
  await besideServer(required(values.data, "data"), async ({ host }) => {
    printJson({ retried: await retryMail(host.db, positionals[0]) });
  });
}

const actions: Record<string, (args: string[]) => Promise<void>> = { list, retry };

/** `carrel mail …`: mail that has not left the house. */
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
