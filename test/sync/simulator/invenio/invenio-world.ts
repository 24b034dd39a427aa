import { remember } from "../../../../main/sync/person.repository.ts";
import type { Account } from "../../../../main/sync/upstream.ts";
import { offersOf } from "../../../../main/upstreams/invenio/site-kind.policy.ts";
import { cardOf } from "../../../../main/upstreams/invenio/welcome.ts";
import { replaceObject } from "../../../../shared/bundles/bundle.repository.ts";
import { transaction } from "../../../../shared/database/open.ts";
import { complete } from "../../../support/fake-invenio/complete.ts";
import type { ProfileName } from "../../../support/fake-invenio/profile.ts";
import { FakeSite } from "../../../support/fake-invenio/site.ts";
import type { Content } from "../../../support/fake-invenio/state.ts";
import { Chance } from "../chance.ts";
import { VirtualEnvironment } from "../environment.ts";
import { Faults } from "../faults.ts";
import { SimDatabase } from "../sim-database.ts";
import type { Scenario } from "../step.ts";
import { CallWatch } from "./call-watch.ts";
import { SimDesk } from "./sim-desk.ts";
import type { LineParts } from "./sim-line.ts";
import { type Made, WorkLedger } from "./work-ledger.ts";

const server = "http://site.example";

/** What a person in a browser sees. */
export interface BrowserAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the person reads whatever is there
  body: any;
}

interface Start {
  image: Buffer;
  /** The conversation that everybody comments in. */
  request: string;
}

const profileNames = ["invenio-14", "zenodo", "invenio-13"] as const;
const profileOf = (seed: number): ProfileName => profileNames[seed % profileNames.length] ?? "invenio-14";

/** The start of every run on a kind of site. */
const starts = new Map<ProfileName, Start>();

/** A site, the desks of one person, and her browser, in one process. */
export class InvenioWorld {
  chance = new Chance(0);
  focus: number | undefined;
  readonly faults = new Faults();
  readonly environment = new VirtualEnvironment();
  readonly ledger = new WorkLedger();
  readonly desks: SimDesk[] = [];
  /** The error of each desk's clock, in microseconds. */
  readonly clocks = new Map<string, number>();
  readonly log: string[] = [];
  readonly badMoment: LineParts["badMoment"] = { kind: undefined };
  readonly site: FakeSite;
  readonly watch: CallWatch;
  /** Runs between a desk's calls. */
  meanwhile: () => Promise<void> = async () => {};
  /** A page of the web form that was opened some time ago. */
  tab: { id: string; name: string; body: BrowserAnswer["body"] } | undefined;
  request = "";
  readonly #browserToken: string;
  #siteChance = new Chance(1);

  private constructor(profile: ProfileName) {
    const { environment, ledger } = this;
    const time = () => Math.floor(environment.now() / 1000);
    const random = () => this.#siteChance.next();
    this.site = new FakeSite({ profile, url: server, time, random, pace: async () => {} });
    this.watch = new CallWatch(this.site, ledger, environment);
    this.#browserToken = this.site.person("ada").token;
  }

  static async create({ seed, cast }: Scenario): Promise<InvenioWorld> {
    const profile = profileOf(seed);
    const start = starts.get(profile) ?? (await InvenioWorld.#start(profile));
    starts.set(profile, start);
    const world = new InvenioWorld(profile);
    await world.#prepareSite();
    if (world.request !== start.request) throw new Error("the start of a run is not the same each time");
    world.environment.advance(120_000_000);
    world.environment.begin(seed);
    world.#siteChance = new Chance(seed);
    for (const [index] of cast.entries()) world.addDesk(`desk ${index + 1}`, SimDatabase.of(start.image));
    world.site.calls.length = 0;
    return world;
  }

  /** A desk after its first copy. */
  static async #start(profile: ProfileName): Promise<Start> {
    const world = new InvenioWorld(profile);
    await world.#prepareSite();
    const { request, site } = world;
    const desk = await world.connectDesk("desk 0");
    await desk.pullAll();
    if (site.calls.length === 0) throw new Error("nothing was copied");
    const image = desk.database.image();
    await desk.database.close();
    return { image, request };
  }

  /** A site without desks, where nothing is yet. */
  static bare(profile: ProfileName): InvenioWorld {
    return new InvenioWorld(profile);
  }

  /** A new desk that has copied nothing yet. */
  async connectDesk(name: string): Promise<SimDesk> {
    const desk = this.addDesk(name, await SimDatabase.create());
    const { user, upstream } = desk.account;
    await transaction(desk.db, async (tx) => {
      await remember(tx, "server", server);
      if (upstream) await remember(tx, "upstream", upstream);
      await remember(tx, "user", user);
      await replaceObject(tx, cardOf(user.id, { email: "ada@example.org", username: "ada" }));
    });
    return desk;
  }

  addDesk(name: string, database: SimDatabase): SimDesk {
    const { faults, environment, watch, site, badMoment } = this;
    const own = environment.withClock(() => this.clocks.get(name) ?? 0);
    const meanwhile = () => this.meanwhile();
    const desk = new SimDesk(name, this.#account(), database, {
      ...{ faults, environment, watch, site, badMoment, meanwhile, own },
    });
    this.desks.push(desk);
    return desk;
  }

  #account(): Account {
    const { id, token } = this.site.person("ada");
    const { kind } = this.site.profile;
    const upstream = { kind, name: "The site", offers: offersOf(kind), checked: 0 };
    return { server, token, user: { id, username: "ada" }, upstream };
  }

  newToken(): string {
    return this.site.person("ada").token;
  }

  /** A community, and a draft of ada's that waits there for a review. */
  async #prepareSite(): Promise<void> {
    this.request = await this.submit(await this.foundCommunity());
  }

  /** @returns its id. */
  async foundCommunity(): Promise<string> {
    const grace = this.site.person("grace");
    const own = { slug: "tides", metadata: { title: "Tides" }, access: { visibility: "public" } };
    return (await this.browse("POST", "/api/communities", own, grace.token)).body.id;
  }

  /** A complete draft of ada's with one file. @returns its id. */
  async draftThere(title = "Tides"): Promise<string> {
    const { files: _, ...body } = complete;
    const metadata = { ...body.metadata, title, publisher: "A press" };
    const draft = (await this.browse("POST", "/api/records", { ...body, metadata })).body.id;
    const at = `/api/records/${draft}/draft`;
    await this.browse("POST", `${at}/files`, [{ key: "tides.csv" }]);
    await this.browseBytes(`${at}/files/tides.csv/content`, "hour,height");
    await this.browse("POST", `${at}/files/tides.csv/commit`);
    return draft;
  }

  /** A draft of ada's is submitted to a community. @returns the id of the request. */
  async submit(community: string): Promise<string> {
    const at = `/api/records/${await this.draftThere()}/draft`;
    await this.browse("PUT", `${at}/review`, { type: "community-submission", receiver: { community } });
    const payload = { content: "Please", format: "html" };
    const { status, body: request } = await this.browse("POST", `${at}/actions/submit-review`, { payload });
    if (status !== 202) throw new Error(`the site did not take the review: ${JSON.stringify(request)}`);
    return request.id;
  }

  /** A call of a person in the browser. */
  async browse(method: string, url: string, json?: unknown, token = this.#browserToken): Promise<BrowserAnswer> {
    const body = json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(json));
    return this.#browsed(method, url, body, "application/json", token);
  }

  browseBytes(url: string, text: string): Promise<BrowserAnswer> {
    return this.#browsed("PUT", url, Buffer.from(text), "application/octet-stream", this.#browserToken);
  }

  async #browsed(method: string, url: string, body: Buffer, type: string, token: string): Promise<BrowserAnswer> {
    const accept = /\/files|\/me$/.test(url) ? "application/json" : "application/vnd.inveniordm.v1+json";
    const headers = { authorization: `Bearer ${token}`, "user-agent": "browser", accept, "content-type": type };
    const answer = await this.site.call({ method, url, headers, body, address: "browser" });
    const text = answer.body.toString();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  pick<T>(from: readonly T[], textOf: (one: T) => string): T | undefined {
    return this.focus === undefined ? this.chance.pick(from) : Chance.favourite(this.focus, from, textOf);
  }

  /** Drafts and records of the site that a made draft has become. */
  copiesOf({ name }: Pick<Made, "name">): Content[] {
    const { drafts, records } = this.site.state;
    return [...drafts.values(), ...records.values()].filter(({ metadata }) =>
      JSON.stringify(metadata.creators ?? "").includes(`"${name}"`),
    );
  }

  /** Time passes for everybody. */
  pass(seconds: number): void {
    this.environment.advance(seconds * 1_000_000);
  }

  async close(): Promise<void> {
    for (const desk of this.desks) await desk.database.close();
  }
}
