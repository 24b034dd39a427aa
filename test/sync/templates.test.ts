import { expect, test } from "vitest";
import { startApi } from "../support/api.ts";
import { must } from "../support/files.ts";
import type { HttpClient } from "../support/http-client.ts";
import { pause, replicaOf, resume } from "../support/two-replicas.ts";
import { until } from "../support/until.ts";

const shelf = "/api/sync/desk/templates";
const template = (name: string) => ({
  name,
  metadata: { title: name },
  custom_fields: {},
  access: { record: "public" },
});
const namesAt = async (client: HttpClient): Promise<string[]> =>
  (await client.get(shelf)).body.notes.map(({ value }: { value: { name: string } }) => value.name).sort();

test("templates are alike on all computers of a person and in the browser; what was changed on two is kept twice (app, Missing 7)", async () => {
  const api = await startApi("server");
  const browser = await api.as("alice");
  const keep = async (client: HttpClient, key: string, name: string) =>
    must(await client.put(`${shelf}/${key}`, { value: template(name) }), 200);
  await keep(browser, "a", "Cruise");
  const [desktop, laptop] = [await replicaOf(api, "alice"), await replicaOf(api, "alice")];
  const everywhere = (names: string[]) =>
    until(async () => {
      const found = await Promise.all([browser, desktop, laptop].map(namesAt));
      return found.every((one) => one.join() === names.join());
    }, names.join());
  await everywhere(["Cruise"]);
  await keep(desktop, "b", "Mooring");
  await resume(laptop);
  await everywhere(["Cruise", "Mooring"]);
  expect(await namesAt(await api.as("bob"))).toEqual([]);

  await pause(desktop, laptop);
  await keep(desktop, "a", "Cruise north");
  await keep(laptop, "a", "Cruise south");
  must(await laptop.delete(`${shelf}/b`), 204);
  expect(await namesAt(browser)).toEqual(["Cruise", "Mooring"]);
  await resume(desktop, laptop);
  await everywhere(["Cruise north", "Cruise south"]);
});

test("a template that the server does not have yet is unsent work: data=remove is refused until it is forced (hosts-and-sync 5)", async () => {
  const api = await startApi("server");
  const desktop = await replicaOf(api, "alice");
  await pause(desktop);
  must(await desktop.put(`${shelf}/a`, { value: template("Cruise") }), 200);
  const refused = await desktop.delete("/api/sync/connect?data=remove");
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining("1 change has")]);
  expect(await namesAt(desktop)).toEqual(["Cruise"]);
  await resume(desktop);
  const browser = await api.as("alice");
  await until(async () => (await namesAt(browser)).length === 1, "the server has the template");
  must(await desktop.delete("/api/sync/connect?data=remove"), 200);
  expect(await namesAt(browser)).toEqual(["Cruise"]);
});
