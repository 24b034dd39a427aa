import { beforeAll, describe, expect, test } from "vitest";
import { harvestService } from "../../server/harvest/harvest.service.ts";
import { oaiService } from "../../server/harvest/oai.service.ts";
import { oaiTime } from "../../server/harvest/oai-arguments.ts";
import { machineEnvironment } from "../../shared/kernel/environment.ts";
import { type Api, startApi } from "../support/api.ts";
import type { HttpClient } from "../support/http-client.ts";
import { inProcess } from "../support/in-process.ts";
import { type Ask, Harvester } from "../support/oai-harvester.ts";
import { Random } from "../support/random.ts";
import { givenDraft, metadata, publish } from "../support/records.ts";

/** `npm run mirror` runs 500. */
const seeds = Number(process.env.MIRROR_SEEDS ?? 8);
const firstSeed = Number(process.env.SEED ?? 1);

const open = { record: "public", files: "public" };
const restricted = { record: "restricted", files: "restricted" };
const embargo = (record: string) => ({
  record,
  files: "restricted",
  embargo: { active: true, until: "2199-01-01", reason: null },
});

/** Random changes of a few records, and what strangers may read of them. */
class Library {
  readonly ids: string[] = [];
  readonly #api: Api;
  readonly #owner: HttpClient;
  readonly #admin: HttpClient;
  readonly #random: Random;
  #titles = 0;

  constructor(api: Api, { owner, admin }: { owner: HttpClient; admin: HttpClient }, random: Random) {
    this.#api = api;
    this.#owner = owner;
    this.#admin = admin;
    this.#random = random;
  }

  /** A title with characters that XML escapes or forbids. */
  #body(access: object): object {
    this.#titles += 1;
    const title = `Story ${this.#titles} <&> ]]> "é"`;
    return { metadata: { ...metadata, title }, files: { enabled: false }, access };
  }

  async change(): Promise<void> {
    const id = this.ids.length > 0 ? this.#random.of(this.ids) : undefined;
    const steps = [() => this.#publishNew(), ...(id ? this.#changesOf(id) : [])];
    await this.#random.of(steps)();
  }

  #changesOf(id: string) {
    return [
      () => this.#edit(id, open),
      () => this.#edit(id, open),
      () => this.#edit(id, restricted),
      () => this.#edit(id, embargo("restricted")),
      () => this.#edit(id, embargo("public")),
      () => this.#lift(id),
      () => this.#newVersion(id),
      () => givenDraft(this.#owner, this.#body(open)),
      () => this.#admin.delete(`/api/records/${id}/delete`, {}),
      () => this.#admin.delete(`/api/records/${id}/delete`, { is_visible: false }),
      () => this.#admin.post(`/api/records/${id}/restore`),
    ];
  }

  async #publishNew(): Promise<void> {
    const access = this.#random.of([open, open, restricted, embargo("restricted")]);
    const id = await givenDraft(this.#owner, this.#body(access));
    await publish(this.#owner, id);
    this.ids.push(id);
  }

  /** Deleted records refuse it. */
  async #edit(id: string, access: object): Promise<void> {
    await this.#owner.post(`/api/records/${id}/draft`);
    await this.#owner.put(`/api/records/${id}/draft`, this.#body(access));
    if (this.#random.chance(0.8)) await this.#owner.post(`/api/records/${id}/draft/actions/publish`);
  }

  async #newVersion(id: string): Promise<void> {
    const { status, body } = await this.#owner.post(`/api/records/${id}/versions`);
    if (status !== 201) return;
    await this.#owner.put(`/api/records/${body.id}/draft`, this.#body(this.#random.of([open, restricted])));
    const published = await this.#owner.post(`/api/records/${body.id}/draft/actions/publish`);
    if (published.status === 202 && !this.ids.includes(body.id)) this.ids.push(body.id);
  }

  /** The embargo's day comes. */
  async #lift(id: string): Promise<void> {
    const { host, services } = this.#api.server;
    const row = await host.db.selectFrom("record").select("access").where("id", "=", id).executeTakeFirstOrThrow();
    const access = row.access.replace("2199-01-01", "2001-01-01");
    if (access === row.access) return;
    await host.db.updateTable("record").set({ access }).where("id", "=", id).execute();
    await services.embargoes.lift(id);
  }

  /** The titles of the public versions, read without credentials. */
  async readable(stranger: HttpClient): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const id of this.ids) {
      const { status, body } = await stranger.get(`/api/records/${id}`);
      if (status === 200) found.set(id, body.metadata.title);
    }
    return found;
  }
}

describe("a harvester's mirror equals the public library (web 8, 13, issue 18)", () => {
  let api: Api;
  let people: { owner: HttpClient; admin: HttpClient };
  let stranger: HttpClient;
  let ask: Ask;
  /** Times of items have seconds, so some rounds are seconds apart. */
  let aheadMicros = 0;
  beforeAll(async () => {
    const machine = machineEnvironment();
    api = await startApi("server", { environment: { ...machine, now: () => machine.now() + aheadMicros } });
    people = { owner: await inProcess(api, "ada"), admin: await inProcess(api, "admin") };
    stranger = await inProcess(api, undefined);
    const { host } = api.server;
    const oai = oaiService({
      host,
      harvest: harvestService(host),
      secret: new Uint8Array(32),
      pageSizes: { ListRecords: 3, ListIdentifiers: 4 },
    });
    ask = (parameters) => oai.answer(new URLSearchParams(parameters));
  });

  test(
    `after each of some rounds, for ${seeds} seeds`,
    async () => {
      for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
        const random = new Random(seed);
        const harvester = new Harvester(ask, oaiTime(api.server.host.now()));
        const library = new Library(api, people, random);
        const isMidway = random.chance(0.3);
        for (let round = 0; round < 4; round++) {
          aheadMicros += random.below(4) * 1_000_000;
          for (let step = 0; step < 4; step++) await library.change();
          // Some changes come while a list is read; the next harvest has them.
          await harvester.harvest(async () => (isMidway ? library.change() : undefined));
          if (isMidway) await harvester.harvest();
          const expected = await library.readable(stranger);
          const mirrored = [...harvester.mirror].filter(([id, item]) => library.ids.includes(id) && !item.isDeleted);
          expect(new Map(mirrored.map(([id, { title }]) => [id, title])), `seed ${seed}, round ${round}`).toEqual(
            expected,
          );
        }
      }
      expect(await listedTwice(api)).toEqual([]);
    },
    60_000 + seeds * 10_000,
  );
});

/** Sets and items tell the same. */
async function listedTwice({ server }: Api): Promise<string[]> {
  const items = await server.host.db.selectFrom("harvest_item").selectAll().execute();
  const sets = await server.host.db.selectFrom("harvest_set").selectAll().execute();
  const fromItems = items.flatMap((item) =>
    item.sets.split(" ").map((spec) => `${spec} ${item.changed} ${item.record_id}`),
  );
  const fromSets = sets.map(({ spec, changed, record_id }) => `${spec} ${changed} ${record_id}`);
  return fromSets.filter((row) => !fromItems.includes(row)).concat(fromItems.filter((row) => !fromSets.includes(row)));
}
