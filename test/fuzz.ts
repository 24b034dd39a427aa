import { parseCommandLine } from "../shared/kernel/command-line.ts";
import { run } from "./support/run.ts";

const help = `usage: npm run -s fuzz -- [--inputs N] [--minutes M] [--kind push,frames,zip,metadata,query,rest] [--seed S]

Sends N inputs of each kind (100,000 by default) to a server, M minutes a kind at most, and prints what was played.
`;

const { values } = parseCommandLine(process.argv.slice(2), {
  inputs: { type: "string", default: "100000" },
  minutes: { type: "string", default: "60" },
  seed: { type: "string", default: "1" },
  kind: { type: "string" },
  help: { type: "boolean", default: false },
});

if (values.help) process.stdout.write(help);
else {
  const env = {
    ...{ FUZZ_INPUTS: String(values.inputs), FUZZ_MINUTES: String(values.minutes), FUZZ_SEED: String(values.seed) },
    ...(values.kind ? { FUZZ_KIND: String(values.kind) } : {}),
  };
  const args = ["run", "--config", "test/vitest.config.ts", "test/api/fuzz-kinds.test.ts"];
  const { code } = await run("vitest", args, { env, live: true });
  process.exitCode = code;
}
