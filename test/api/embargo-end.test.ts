import { expect, test } from "vitest";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { dayOf } from "../../shared/kernel/timestamps.ts";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { startApi } from "../support/api.ts";
import { addFile } from "../support/files.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";

const dayMicros = 86_400_000_000;
const fileBytes = 6_000_000;

test("the end of an embargo reaches page, API, OAI-PMH, feed, sitemap and home page; a running download goes on (issue 18)", async () => {
  let aheadMicros = 0;
  const machine = machineEnvironment();
  const { site } = settingsSchema.parse({ site: { contact: "desk@example.org" } });
  const environment = { ...machine, now: () => machine.now() + aheadMicros };
  const api = await startApi("server", { settings: { site }, environment });
  const alice = await api.as("alice");
  const embargo = { active: true, until: dayOf(environment.now() + dayMicros), reason: "patent" };
  const access = { record: "restricted", files: "restricted", embargo };
  const id = await givenDraft(alice, { metadata, access });
  await addFile(alice, id, "a.bin", Buffer.alloc(fileBytes, 7));
  await publish(alice, id);
  const { token } = (await alice.post(`/api/records/${id}/access/links`, { permission: "view" })).body;

  const asBrowser = { headers: { accept: "text/html" } };
  const listed = async () => {
    const oai = "/oai2d?verb=ListIdentifiers&metadataPrefix=oai_dc&set=access:open";
    const addresses = [oai, "/search.atom", `/sitemaps/records-${id}.xml`, "/search?q=romans", "/"];
    const texts = addresses.map(async (path) => (await api.anonymous.get(path)).text.includes(id));
    return Promise.all(texts);
  };
  const statuses = async () => {
    const page = await api.anonymous.get(`/records/${id}`, asBrowser);
    const others = [`/api/records/${id}`, `/api/records/${id}/files/a.bin`];
    return [page.status, ...(await Promise.all(others.map(async (path) => (await api.anonymous.get(path)).status)))];
  };
  expect(await listed()).toEqual(Array(5).fill(false));
  expect(await statuses()).toEqual([403, 403, 403]);

  const download = await fetch(`${api.server.url}/api/records/${id}/files/a.bin/content?token=${token}`);
  const reader = download.body?.getReader();
  let received = (await reader?.read())?.value?.length ?? 0;
  aheadMicros = dayMicros;
  await expect.poll(listed, { timeout: 10_000 }).toEqual(Array(5).fill(true));
  expect(await statuses()).toEqual([200, 200, 200]);
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) received += part.value.length;
  expect(received).toBe(fileBytes);
}, 60_000);
