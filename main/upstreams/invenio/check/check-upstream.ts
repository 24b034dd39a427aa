import { setTimeout as pause } from "node:timers/promises";
import { Failure } from "../../../../shared/kernel/failure.ts";
import { type Call, checkLine } from "./check-line.ts";
import { draftFacts } from "./draft-facts.ts";
import type { Fact, Trial } from "./fact.ts";
import { fileFacts } from "./file-facts.ts";
import { siteFacts } from "./site-facts.ts";

/** What is never tried here, and why. */
const untried: readonly string[] = [
  "F2, F9: publishing, which cannot be undone",
  "F7, F16: a server in trouble, and its limits",
  "F19, F21: requests and communities, which other people see",
  "F20: quotas",
];

const body = {
  metadata: {
    title: "A check by Carrel, deleted at its end",
    resource_type: { id: "dataset" },
    publication_date: "2026-01-01",
    creators: [{ person_or_org: { type: "personal", family_name: "Carrel", given_name: "Check" } }],
  },
  access: { record: "public", files: "public" },
  files: { enabled: true },
};

export interface CheckOptions {
  server: string;
  token: string;
  /** Takes a line of the table. */
  print(line: string): void;
}

async function tried(fact: Fact, trial: Trial): Promise<string | undefined> {
  try {
    return await fact.try(trial);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @throws Failure with the server's message if no draft can be created. */
async function makeDraft(call: Call): Promise<string> {
  const { status, body: made } = await call("POST", "/api/records", { json: body });
  if (status === 201 && made?.id !== undefined) return String(made.id);
  throw new Failure("invalid", `The server does not make a draft with this token: ${status} ${made?.message ?? ""}`);
}

/** @throws Failure if the draft of the check is still there. */
async function cleanUp(call: Call, draft: string): Promise<void> {
  await call("DELETE", draft);
  const { status } = await call("GET", draft);
  if (status !== 404 && status !== 410)
    throw new Failure("unavailable", `The draft of this check may still be there (${status}). Delete it: ${draft}`);
}

/**
 * Tries each fact that the adapter relies on, with one draft that it deletes at the end. It publishes nothing.
 * @returns how many facts do not hold.
 * @throws Failure if no draft can be made, or it cannot be deleted.
 */
export async function checkUpstream({ server, token, print }: CheckOptions): Promise<number> {
  const call = checkLine(server, token);
  const id = await makeDraft(call);
  const draft = `/api/records/${id}/draft`;
  const trial: Trial = { call, id, draft, body, pause: (ms) => pause(ms) };
  const facts = [...siteFacts, ...draftFacts, ...fileFacts];
  let differing = 0;
  try {
    for (const fact of facts) {
      const seen = await tried(fact, trial);
      if (seen !== undefined) differing++;
      print(`${fact.number.padEnd(4)} ${seen === undefined ? "holds  " : "DIFFERS"} ${fact.says}`);
      if (seen !== undefined) print(`             ${seen}`);
    }
  } finally {
    await cleanUp(call, draft);
  }
  for (const line of untried) print(`not tried    ${line}`);
  print(`${facts.length} facts, ${differing} of them differ. The draft of this check was deleted.`);
  return differing;
}
