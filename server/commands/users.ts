import { randomBytes } from "node:crypto";
import { createAccountServices } from "../../shared/accounts/account-services.ts";
import { newInvitation } from "../../shared/accounts/accounts.schema.ts";
import { presentInvitation } from "../../shared/accounts/invitation.routes.ts";
import type { Services } from "../../shared/api.ts";
import { type Caller, type Scope, system } from "../../shared/kernel/caller.ts";
import {
  type CliCommand,
  parseCommandLine,
  parseOptions,
  printJson,
  required,
  throwUnfit,
} from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { folderSecret } from "../../shared/kernel/folder-secret.ts";
import type { Host } from "../../shared/kernel/host.ts";
import { type Secret, secretOption } from "../../shared/kernel/secret-option.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import type { Named } from "../../shared/sign-in/password-weakness.ts";
import { newPassword } from "../../shared/sign-in/sign-in.schema.ts";
import { newToken, scopeNames } from "../../shared/tokens/token.schema.ts";
import { newUser, visibilities } from "../../shared/users/user.schema.ts";
import { readServerAddress } from "../accounts/server-address.ts";
import { withServices } from "../with-services.ts";

interface Parts {
  host: Host;
  services: Services;
}

const data = { data: { type: "string" } } as const;
const account = { ...data, username: { type: "string" }, email: { type: "string" }, id: { type: "string" } } as const;

/** The user's own view, which otherwise only the user gets. */
async function selfView({ host, services }: Parts, id: string): Promise<Record<string, unknown>> {
  const user = await services.users.find(host.db, id);
  if (!user) throw new Failure("not_found", `There is no user '${id}'.`);
  const caller: Caller = { ...system, userId: id, roles: new Set(), scopes: new Set<Scope>() };
  const [body] = await services.users.present(host.db, caller, [user]);
  const roles = await services.users.groupsOf(host.db, id);
  return { ...body, roles };
}

/** The options that name a user. */
interface UserOptions {
  username?: string | undefined;
  email?: string | undefined;
  id?: string | undefined;
}

/**
 * Finds the user named by exactly one of the options.
 * @param idOption what the command calls the option `id`.
 * @throws UsageError, Failure 404.
 */
export async function findUser({ host, services }: Parts, options: UserOptions, idOption = "id"): Promise<string> {
  const { id, username, email } = options;
  const named = [username, email, id].filter((value) => value !== undefined);
  const [name] = named;
  if (name === undefined) throw new UsageError(`One of --username, --email, --${idOption} is missing.`);
  if (named.length > 1) throw new UsageError(`--username, --email and --${idOption} exclude each other.`);
  const by = username === undefined ? "email" : "username";
  const user = await (id === undefined
    ? services.users.findAccount(host.db, { by, name })
    : services.users.find(host.db, id));
  if (!user) throw new Failure("not_found", `There is no user '${name}'.`);
  return user.id;
}

function oneOf(value: string | undefined, option: string): "public" | "restricted" | undefined {
  const found = visibilities.find((visibility) => visibility === value);
  if (value !== undefined && !found) throw new UsageError(`--${option} must be public or restricted.`);
  return found;
}

const passwordOptions = { password: { type: "string" }, "password-file": { type: "string" } } as const;

/** The password given on the command line, if any. @throws UsageError if it is too short or too long. */
function passwordOf(values: { password?: string | undefined; "password-file"?: string | undefined }): Secret {
  const password = secretOption({
    name: "password",
    argument: values.password,
    file: values["password-file"],
  });
  if (password.value !== undefined && !newPassword.safeParse(password.value).success) {
    throw new UsageError("--password must have 8 to 128 characters.");
  }
  return password;
}

/** Prints the password's warning. @throws UsageError if the password is too easy to guess. */
async function assertStrong({ services }: Parts, { value, warning }: Secret, person: Named): Promise<void> {
  const weakness = value === undefined ? undefined : await services.signIn.weaknessOf(value, person);
  if (weakness !== undefined) throw new UsageError(`--password: ${weakness}`);
  if (warning !== undefined) process.stderr.write(`${warning}\n`);
}

const createOptions = {
  ...data,
  username: { type: "string" },
  email: { type: "string" },
  "full-name": { type: "string" },
  affiliations: { type: "string" },
  ...passwordOptions,
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
  const password = passwordOf(values);
  if (values.token !== undefined && !newToken.shape.name.safeParse(values.token).success) {
    throw new UsageError("--token must have 1 to 255 characters.");
  }
  const person = parseOptions(newUser, {
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
  await withServices(
    dataDir,
    async (parts) => {
      const { users, tokens, signIn } = parts.services;
      await assertStrong(parts, password, person);
      const password_hash = password.value === undefined ? null : await signIn.hash(password.value);
      const id = await users.create({ ...person, password_hash });
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
  await withServices(required(values.data, "data"), async (parts) => {
    const { host, services } = parts;
    const rows = await services.users.list(host.db);
    await host.audit(host.db, system, { action: "user.list", details: { count: rows.length } });
    for (const { id } of rows) printJson(await selfView(parts, id));
  });
}

/** A command that lets a user in, or no longer. */
const accountState = (change: "activate" | "deactivate") => async (args: string[]) => {
  const { values } = parseCommandLine(args, account);
  await withServices(required(values.data, "data"), async (parts) => {
    const id = await findUser(parts, values);
    await parts.services.users[change](id);
    printJson(await selfView(parts, id));
  });
};

async function resetPassword(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, { ...account, ...passwordOptions });
  const chosen = passwordOf(values);
  const password = chosen.value ?? randomBytes(12).toString("base64url");
  await withServices(required(values.data, "data"), async (parts) => {
    const id = await findUser(parts, values);
    const user = await parts.services.users.find(parts.host.db, id);
    if (user) await assertStrong(parts, chosen, user);
    await parts.services.signIn.resetPassword(id, password);
    const shown = chosen.value === undefined ? { password } : {};
    printJson({ ...(await selfView(parts, id)), ...shown });
  });
}

async function unlock(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, account);
  await withServices(required(values.data, "data"), async (parts) => {
    const id = await findUser(parts, values);
    const user = await parts.services.users.find(parts.host.db, id);
    if (user) await parts.services.signIn.unlock(user);
    printJson(await selfView(parts, id));
  });
}

async function resetSecondFactor(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, account);
  await withServices(required(values.data, "data"), async (parts) => {
    const id = await findUser(parts, values);
    await parts.services.secondFactors.reset(system, id);
    printJson(await selfView(parts, id));
  });
}

async function invite(args: string[]): Promise<void> {
  const { values } = parseCommandLine(args, {
    ...data,
    email: { type: "string" },
    role: { type: "string", multiple: true },
  } as const);
  const dataDir = required(values.data, "data");
  const invitation = parseOptions(newInvitation, { email: required(values.email, "email"), roles: values.role });
  await withServices(dataDir, async ({ host, services }) => {
    const sendsMail = (await readServerAddress(host.db))?.sendsMail ?? false;
    const secret = folderSecret(dataDir);
    const { invitations, accountLinks } = createAccountServices(host, services, secret, sendsMail);
    const link = await invitations.invite(system, invitation).catch(throwUnfit);
    const address = sendsMail ? {} : { link: accountLinks.addressOf(link, host.baseUrl) };
    printJson({ ...presentInvitation(link, host.baseUrl), is_mailed: sendsMail, ...address });
  });
}

const actions: Record<string, (args: string[]) => Promise<void>> = {
  create,
  invite,
  list,
  deactivate: accountState("deactivate"),
  activate: accountState("activate"),
  "reset-password": resetPassword,
  "reset-second-factor": resetSecondFactor,
  unlock,
};

/** `carrel users …`: manages the users of a server, whether or not it runs. */
export const usersCommand: CliCommand = {
  help: `carrel users create --data DIR --username N --email E [--full-name S] [--affiliations S]
                    [--password-file FILE] [--role NAME]… [--visibility public|restricted] [--email-visibility public|restricted]
                    [--unconfirmed] [--inactive] [--token NAME]
carrel users invite --data DIR --email E [--role NAME]…
carrel users list --data DIR
carrel users deactivate --data DIR (--username N | --email E | --id ID)
carrel users activate --data DIR (--username N | --email E | --id ID)
carrel users reset-password --data DIR (--username N | --email E | --id ID)
                            [--password-file FILE]
carrel users reset-second-factor --data DIR (--username N | --email E | --id ID)
carrel users unlock --data DIR (--username N | --email E | --id ID)

Prints users as JSON, one a line; create adds "token" (all scopes) when --token names one.
The password is one line of FILE, or of standard input (-), or the environment variable CARREL_PASSWORD; --password P
works too, but every local user can read it. Without one, create makes no password sign-in, and reset-password prints
one that it made up. The profile is public and the e-mail address restricted by default. Roles:
superuser-access, administration-moderation, or any group. invite mails a link for seven days, with which the invited
person chooses a name and a password; it prints the link if the server sends no mail. deactivate ends all sessions and
tokens of a user; activate lets them sign in again, and confirms their address. After 5 failed sign-ins an account
has to wait 15 minutes; unlock ends that. create makes DIR when it is absent.
`,
  async run([name = "", ...args]) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action)
      throw new UsageError(
        "carrel users needs one of: create, invite, list, deactivate, activate, reset-password, reset-second-factor, unlock.",
      );
    await action(args);
  },
};
