import { presentGroup } from "../../shared/groups/group.presenter.ts";
import { groupChange, groupName } from "../../shared/groups/group.schema.ts";
import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { withServices } from "../with-services.ts";

const createOptions = {
  data: { type: "string" },
  name: { type: "string" },
  description: { type: "string" },
  unmanaged: { type: "boolean" },
} as const;

async function create(args: string[]): Promise<void> {
  const { values, positionals } = parseCommandLine(args, createOptions, 1);
  const name = required(values.name ?? positionals[0], "name");
  const outcome = groupName.safeParse(name);
  if (!outcome.success) throw new UsageError(`--name: ${outcome.error.issues[0]?.message}`);
  const description = values.description?.trim() ?? null;
  if (!groupChange.safeParse({ description }).success) throw new UsageError("--description is too long (255).");
  await withServices(
    required(values.data, "data"),
    async ({ host, services }) => {
      await services.groups.provide({ name, description, is_managed: !values.unmanaged });
      const group = await services.groups.find(host.db, name);
      if (group) printJson(presentGroup(group, host.baseUrl));
    },
    { mayBegin: true },
  );
}

async function list(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, { data: { type: "string" } } as const);
  await withServices(required(values.data, "data"), async ({ host, services }) => {
    for (const group of await services.groups.list(host.db)) printJson(presentGroup(group, host.baseUrl));
  });
}

const actions: Record<string, (args: string[]) => Promise<void>> = { create, list };

/** `carrel groups …`: manages the groups of a server. */
export const groupsCommand: CliCommand = {
  help: `carrel groups create --data DIR --name NAME [--description S] [--unmanaged]
carrel groups list --data DIR

Prints groups as JSON, one a line. An unmanaged group is visible to everybody signed in and cannot be changed by
managers. create makes DIR when it is absent.
`,
  async run([name = "", ...args]) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError("carrel groups needs one of: create, list.");
    await action(args);
  },
};
