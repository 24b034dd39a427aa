import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStore } from "../support/engines/bucket.ts";
import { addFile, fileOf, givenDraft } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { CarrelProcess, runCarrel } from "../support/process.ts";

const store = await startStore();
afterAll(() => store?.stop());

describe.skipIf(!store)("a server with its bytes in a bucket (scale 6, 9)", () => {
  const address = store?.freshAddress() ?? "";
  let data: string;
  let token: string;

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "carrel-bucket-server-"));
    data = join(folder, "data");
    token = await createUser(data);
    return () => rm(folder, { recursive: true });
  });

  async function createUser(folder: string): Promise<string> {
    const card = ["--username", "grace", "--email", "grace@example.org", "--token", "test"];
    return JSON.parse((await runCarrel("users", "create", "--data", folder, ...card)).stdout).token;
  }

  /** Starts a server, runs the work and stops it. */
  async function served<T>(work: (client: HttpClient) => Promise<T>, ...more: string[]): Promise<T> {
    const server = new CarrelProcess(["server", "--data", data, "--port", "0", "--log-level", "error", ...more]);
    try {
      return await work(new HttpClient((await server.ready()).url, token));
    } finally {
      await server.stop();
    }
  }

  const refused = async (env: Record<string, string>, ...more: string[]) => {
    const server = new CarrelProcess(["server", "--data", data, "--port", "0", "--log-level", "error", ...more], env);
    return server.ended;
  };

  test("keeps no bytes in its folder, and the database remembers the bucket for the next start", async () => {
    const id = await served(
      async (client) => {
        const draft = await givenDraft(client);
        await addFile(client, draft, "a.txt", "in a bucket");
        return draft;
      },
      "--blobs",
      address,
    );
    expect(await readdir(data)).not.toContain("blobs");
    const again = await served((client) => client.get(`${fileOf(id, "a.txt")}/content`));
    expect(again.text).toBe("in a bucket");
  });

  test("refuses another bucket, and a bucket for bytes that are in the folder", async () => {
    const other = await refused({}, "--blobs", store?.freshAddress() ?? "");
    expect(other).toMatchObject({ code: 1 });
    expect(other.stderr).toContain("The bytes of this server are in s3://");
    expect(other.stderr).toContain("'carrel move' moves them");
    const folder = join(data, "../with-bytes");
    const own = await createUser(folder);
    await served(
      async ({ url }) => {
        const client = new HttpClient(url, own);
        await addFile(client, await givenDraft(client), "a.txt", "in the folder");
      },
      "--data",
      folder,
    );
    const late = await refused({}, "--data", folder, "--blobs", address);
    expect(late.stderr).toContain("The bytes of this server are in the data folder. 'carrel move' moves them");
  });

  test.each([
    ["wrong keys", { AWS_SECRET_ACCESS_KEY: "wrong" }, "refuses the keys of this server (SignatureDoesNotMatch)"],
    ["unknown keys", { AWS_ACCESS_KEY_ID: "nobody" }, "refuses the keys of this server ("],
    [
      "no keys",
      { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", AWS_EC2_METADATA_DISABLED: "true", HOME: "/nonexistent" },
      "refuses the keys of this server (CredentialsProviderError)",
    ],
  ])("with %s it does not start, and says why", async (_what, env, words) => {
    const { code, stderr } = await refused(env);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(1);
  });

  test("a store that does not answer, or a bucket that is not there, stops the start in words", async () => {
    const gone = await refused({}, "--blobs", address.replace(/127\.0\.0\.1%3A\d+/, "127.0.0.1%3A9"));
    expect(gone.stderr).toContain("The store of the files cannot be used at present (ECONNREFUSED).");
    const fresh = join(data, "../other");
    const missing = await refused(
      {},
      "--data",
      fresh,
      "--blobs",
      address.replace("s3://carrel/", "s3://no-such-bucket/"),
    );
    expect(missing.stderr).toContain("The bucket of the files does not exist.");
    await served(async () => undefined, "--blobs", address);
  });
});
