import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BenchServer, memoryDuring, startBenchServer } from "../support/bench-server.ts";
import { addFile, givenDraft, must } from "../support/files.ts";
import { makeManyEntries } from "../support/huge-zips.ts";
import { type BenchCase, byTurns } from "./bench-case.ts";

const many = 100_000;
const million = 1_000_000;
const nameOf = (index: number) => `project/part-${index % 1000}/measurement-${index}.txt`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Starts a server with an archive in a draft. `work` gets the address of its listing and the archive's file. */
async function withArchive<R>(
  count: number,
  work: (server: BenchServer, container: string, archive: string) => Promise<R>,
): Promise<R> {
  const server = await startBenchServer();
  try {
    const archive = join(server.folder, "many.zip");
    await makeManyEntries(archive, count, nameOf);
    const id = await givenDraft(server.client);
    await addFile(server.client, id, "warm.zip", await warmUp(server));
    must(await server.client.get(`/api/sync/drafts/${id}/files/warm.zip/container`), 200);
    await addFile(server.client, id, "many.zip", await readFile(archive));
    return await work(server, `/api/sync/drafts/${id}/files/many.zip/container`, archive);
  } finally {
    await server.close();
  }
}

/** Another archive, so that the first listing does not measure the start of the process. */
async function warmUp({ folder }: BenchServer): Promise<Buffer> {
  const path = join(folder, "warm.zip");
  await makeManyEntries(path, 20_000, (index) => `warm/${index}`);
  return readFile(path);
}

async function listing({ client }: BenchServer, path: string, total: number): Promise<void> {
  const { body } = must(await client.get(path), 200);
  if (body.total !== total) throw new Error(`the listing has ${body.total} files, not ${total}`);
}

/** `unzip -l`. If it is not installed there is no reference, and the case says so. */
const unzipList = (archive: string) =>
  timed(() => promisify(execFile)("unzip", ["-l", archive], { maxBuffer: 64 * 1024 * 1024 }));

export const bench: BenchCase[] = [
  {
    name: "first listing of 100,000 members",
    reach: "<= 2",
    run: () =>
      withArchive(many, async (server, container, archive) => {
        const ours = await timed(() => listing(server, container, many));
        const { reference } = await byTurns(
          async () => 0,
          () => unzipList(archive),
        );
        return { ours, reference, unit: "ms", against: "unzip -l" };
      }),
  },
  {
    name: "a directory page of it afterwards",
    reach: "<= 1",
    run: () =>
      withArchive(many, async (server, container) => {
        await listing(server, container, many);
        const page = `${container}/project/part-7?depth=1&size=100`;
        const once = () => timed(() => server.client.get(page, { headers: { accept: "application/json" } }));
        const { ours } = await byTurns(once, async () => 10, 11);
        return { ours, reference: 10, unit: "ms", against: "ms that are allowed" };
      }),
  },
  {
    name: "memory while listing 1,000,000 members",
    reach: "<= 1",
    run: () =>
      withArchive(million, async (server, container) => {
        const ours = await memoryDuring(server, () => listing(server, container, million));
        return { ours, reference: 300, unit: "MB", against: "MB above idle that are allowed" };
      }),
  },
];
