import { type CliCommand, parseBaseUrl, parseCommandLine, required } from "../../shared/kernel/command-line.ts";
import { Failure } from "../../shared/kernel/failure.ts";
import { secretOption } from "../../shared/kernel/secret-option.ts";
import { UsageError } from "../../shared/kernel/usage-error.ts";
import { isInsecureAddress } from "../../shared/sync-protocol/connect.schema.ts";
import { checkUpstream } from "../upstreams/invenio/check/check-upstream.ts";

const options = {
  server: { type: "string" },
  token: { type: "string" },
  "token-file": { type: "string" },
} as const;

/** The live service keeps what is made there. Its sandbox is for trials. */
const isLive = ({ hostname }: URL): boolean => hostname === "zenodo.org" || hostname === "www.zenodo.org";

/** `carrel upstream-check`: tries on an InvenioRDM what Carrel relies on. */
export const upstreamCheckCommand: CliCommand = {
  help: `carrel upstream-check --server URL (--token-file FILE | --token TOKEN)

Tries on an InvenioRDM, or on the sandbox of Zenodo, each fact of their public interface that Carrel relies on. Makes one
draft for that and deletes it at the end. Publishes nothing. Prints a table: which facts hold, and what was seen where one
does not. A fact marked (Zenodo) holds there only, so that it differs on other sites is expected.

  --server URL         such as https://sandbox.zenodo.org; not zenodo.org itself
  --token-file FILE    a personal token of that site, on one line; - reads standard input. Else the environment variable
                       CARREL_TOKEN; --token TOKEN works too, but every local user can read it
`,
  async run(args) {
    const { values } = parseCommandLine(args, options);
    const server = parseBaseUrl(required(values.server, "server"));
    const { value: token, warning } = secretOption({
      name: "token",
      argument: values.token,
      file: values["token-file"],
    });
    if (token === undefined) throw new UsageError("A token is missing: --token-file or CARREL_TOKEN.");
    if (isInsecureAddress(new URL(server)))
      throw new Failure("invalid", "The connection would not be encrypted. Use an address that begins with https://.");
    if (isLive(new URL(server)))
      throw new Failure("invalid", "Use the sandbox for trials: --server https://sandbox.zenodo.org");
    if (warning !== undefined) process.stderr.write(`${warning}\n`);
    await checkUpstream({ server, token, print: (line) => void process.stdout.write(`${line}\n`) });
  },
};
