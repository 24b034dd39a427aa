import { randomBytes } from "node:crypto";
import type { Services } from "../../shared/api.ts";
import { type Caller, type Scope, system } from "../../shared/kernel/caller.ts";
import { type CliCommand, parseCommandLine, printJson, required } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { newPassword } from "../../shared/sign-in/sign-in.schema.ts";
import { scopeNames } from "../../shared/tokens/token.schema.ts";
import { newUser, visibilities } from "../../shared/users/user.schema.ts";
import { besideServer } from "../beside-server.ts";

interface Parts {
  host: Host;
  services: Services;
}

const data = { data: { type: "string" } } as const;
const account = { ...data, username: { type: "string" }, email: { type: "string" }, id: { type: "string" } } as const;

/** What a person sees of herself; only the operator's command line shows it to somebody else. */
async function selfView({ host, services }: Parts, id: string): Promise<Record<string, unknown>> {
  const user = await services.users.find(host.db, id);
  if (!user) throw new Failure("not_found", `There is no user '${id}'.`);
  const caller: Caller = { ...system, userId: id, roles: new Set(), scopes: new Set<Scope>() };
  const [body] = await services.users.present(host.db, caller, [user]);
  const roles = await services.users.groupsOf(host.db, id);
  return { ...body, roles };
}

/** The user that options name. @throws UsageError, Failure 404. */
export async function userNamed({ host, services }: Parts, options: Record<string, unknown>): Promise<string> {
  const { id, username, email } = options;
  if (typeof id === "string" && (await services.users.find(host.db, id))) return id;
  const by = typeof username === "string" ? "username" : "email";
  const name = by === "username" ? username : email;
  const user = typeof name === "string" ? await services.users.findAccount(host.db, { by, name }) : undefined;
  if (user) return user.id;
  if (id === undefined && name === undefined) throw new UsageError("One of --username, --email, --id is missing.");
  throw new Failure("not_found", `There is no user '${String(name ?? id)}'.`);
}

function oneOf(value: string | undefined, option: string): "public" | "restricted" | undefined {
  const found = visibilities.find((visibility) => visibility === value);
  if (value !== undefined && !found) throw new UsageError(`--${option} must be public or restricted.`);
  return found;
}

/** @throws UsageError for one that is too short or too long. */
function checkedPassword(password: string): string {
  if (!newPassword.safeParse(password).success) throw new UsageError("--password must have 8 to 128 characters.");
  return password;
}

const createOptions = {
  ...data,
  username: { type: "string" },
  email: { type: "string" },
  "full-name": { type: "string" },
  affiliations: { type: "string" },
  password: { type: "string" },
  role: { type: "string", multiple: true },
  visibility: { type: "string" },
  "email-visibility": { type: "string" },
  unconfirmed: { type: "boolean" },
  inactive: { type: "boolean" },
  token: { type: "string" },
} as const;

async function create(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, createOptions);
  const dataDir = required(values.data, "data");
  if (values.password !== undefined) checkedPassword(values.password);
  if (values.token !== undefined && values.token.trim() === "") throw new UsageError("--token needs a name.");
  const outcome = newUser.safeParse({
    username: required(values.username, "username"),
    email: required(values.email, "email"),
    full_name: values["full-name"],
    affiliations: values.affiliations,
    roles: values.role,
    visibility: oneOf(values.visibility, "visibility"),
    email_visibility: oneOf(values["email-visibility"], "email-visibility"),
    confirmed: !values.unconfirmed,
    active: !values.inactive,
  });
  if (!outcome.success) {
    const [issue] = outcome.error.issues;
    throw new UsageError(`--${String(issue?.path[0]).replace("_", "-")}: ${issue?.message}`);
  }
  await besideServer(
    dataDir,
    async (parts) => {
      const { users, tokens, signIn } = parts.services;
      const password_hash = values.password === undefined ? null : await signIn.hash(values.password);
      const id = await users.create({ ...outcome.data, password_hash });
      const body = await selfView(parts, id);
      if (values.token === undefined) return printJson(body);
      const grant = { userId: id, byPassword: false, defaultScopes: scopeNames };
      const { secret } = await tokens.issue(grant, { name: values.token });
      printJson({ ...body, token: secret });
    },
    { mayBegin: true },
  );
}

async function list(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, data);
  await besideServer(required(values.data, "data"), async (parts) => {
    const rows = await parts.services.users.list(parts.host.db);
    for (const { id } of rows) printJson(await selfView(parts, id));
  });
}

async function deactivate(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, account);
  await besideServer(required(values.data, "data"), async (parts) => {
    const id = await userNamed(parts, values);
    await parts.services.users.deactivate(id);
    printJson(await selfView(parts, id));
  });
}

async function resetPassword(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, { ...account, password: { type: "string" } });
  const password = checkedPassword(values.password ?? randomBytes(12).toString("base64url"));
  await besideServer(required(values.data, "data"), async (parts) => {
    const id = await userNamed(parts, values);
    await parts.services.signIn.resetPassword(id, password);
    const shown = values.password === undefined ? { password } : {};
    printJson({ ...(await selfView(parts, id)), ...shown });
  });
}

const actions: Record<string, (args: string[]) => Promise<void>> = {
  create,
  list,
  deactivate,
  "reset-password": resetPassword,
};

/** `carrel users …`: people of a server, whether or not it runs. */
export const usersCommand: CliCommand = {
  help: `carrel users create --data DIR --username N --email E [--full-name S] [--affiliations S] [--password P]
                    [--role NAME]… [--visibility public|restricted] [--email-visibility public|restricted]
                    [--unconfirmed] [--inactive] [--token NAME]
carrel users list --data DIR
carrel users deactivate --data DIR (--username N | --email E | --id ID)
carrel users reset-password --data DIR (--username N | --email E | --id ID) [--password P]

Prints users as JSON, one a line; create adds "token" (all scopes) when --token names one.
Without --password, create makes no password sign-in, and reset-password prints one that it made up. The profile is
public and the e-mail address restricted unless said otherwise. Roles: superuser-access, administration-moderation, or
any group. DIR is created when absent.
`,
  async run([name = "", ...args]) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new UsageError("carrel users needs one of: create, list, deactivate, reset-password.");
    await action(args);
  },
};
