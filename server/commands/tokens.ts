import { system } from "../../shared/kernel/caller.ts";
import {
  type CliCommand,
  parseCommandLine,
  printJson,
  required,
  throwUsage,
} from "../../shared/kernel/command-line.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { presentToken } from "../../shared/tokens/token.presenter.ts";
import { scopeNames } from "../../shared/tokens/token.schema.ts";
import { withServices } from "../with-services.ts";
import { findUser } from "./users.ts";

const account = {
  data: { type: "string" },
  username: { type: "string" },
  email: { type: "string" },
  user: { type: "string" },
} as const;

const createOptions = {
  ...account,
  name: { type: "string" },
  scope: { type: "string", multiple: true },
  "expires-at": { type: "string" },
} as const;

async function create(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, createOptions);
  const name = required(values.name, "name");
  const unknown = values.scope?.find((scope) => !scopeNames.some((known) => known === scope));
  if (unknown !== undefined) throw new UsageError(`--scope must be one of ${scopeNames.join(", ")}, not '${unknown}'.`);
  await withServices(required(values.data, "data"), async (parts) => {
    const { host, services } = parts;
    const userId = await findUser(parts, { ...values, id: values.user }, "user");
    const grant = { userId, byPassword: false, defaultScopes: scopeNames };
    const body = { name, scopes: values.scope, expires_at: values["expires-at"] };
    const { row, secret } = await services.tokens.issue(grant, body).catch(throwUsage);
    if ((await services.users.find(host.db, userId))?.active !== 1)
      process.stderr.write("This user is deactivated. The token works once 'carrel users activate' was run.\n");
    printJson({ ...presentToken(row, host.baseUrl), user: userId, token: secret, token_type: "Bearer" });
  });
}

async function list(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, account);
  await withServices(required(values.data, "data"), async (parts) => {
    const { host, services } = parts;
    const isOne = values.user !== undefined || values.username !== undefined || values.email !== undefined;
    const all = isOne ? [] : await services.users.list(host.db);
    const userIds = isOne ? [await findUser(parts, { ...values, id: values.user }, "user")] : all.map(({ id }) => id);
    await host.audit(host.db, system, { action: "token.list", details: { people: userIds.length } });
    for (const userId of userIds) {
      for (const row of await services.tokens.list(host.db, userId)) {
        printJson({ ...presentToken(row, host.baseUrl), user: userId });
      }
    }
  });
}

async function revoke(args: string[]): Promise<void> {
  const { values, positionals } = parseCommandLine(
    args,
    { data: { type: "string" }, id: { type: "string" } } as const,
    1,
  );
  const id = required(values.id ?? positionals[0], "id");
  await withServices(required(values.data, "data"), async ({ services }) => {
    await services.tokens.revokeById(id);
    printJson({ id, revoked: true });
  });
}

const actions: Record<string, (args: string[]) => Promise<void>> = { create, list, revoke };

/** `carrel tokens …`: manages API tokens. */
export const tokensCommand: CliCommand = {
  help: `carrel tokens create --data DIR (--username N | --email E | --user ID) --name NAME [--scope S]… [--expires-at DATE]
carrel tokens list --data DIR [--username N | --email E | --user ID]
carrel tokens revoke --data DIR --id TOKEN_ID

Prints tokens as JSON, one a line; create adds the secret as "token", this once. Scopes: read, write, tokens; all
three when none is named.
`,
  async run([name = "", ...args]) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError("carrel tokens needs one of: create, list, revoke.");
    await action(args);
  },
};
