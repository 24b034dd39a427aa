import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { createPeople, createSamples } from "../main/commands/demo-content.ts";
import { buildRenderer } from "../main/dev-build.ts";
import { openServer } from "../server/open-server.ts";
import { machineEnvironment } from "../shared/kernel/environment.ts";
import { createLog } from "../shared/kernel/log.ts";
import { settingsSchema } from "../shared/settings/settings.schema.ts";
import { chromiumFlags, findOrInstallChromium } from "./support/chromium.ts";
import { addFile, fixtureBytes } from "./support/files.ts";
import { HttpClient } from "./support/http-client.ts";
import { clientSecret, openIdentityProvider } from "./support/identity-provider.ts";
import { picture } from "./support/pictures.ts";
import { givenDraft, metadata, publish } from "./support/records.ts";

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = ".screenshots/visit";
const widths = [1440, 900, 390];

/** A record with two versions, an archive, a table and a picture. @returns the ids of both versions. */
async function givenPaper(client: HttpClient): Promise<[first: string, second: string]> {
  const people = ["Lindqvist, Karin", "Marchetti, Paolo", "Okafor, Ruth"].map((name) => {
    const [family_name, given_name] = name.split(", ");
    const affiliations = [{ name: "Institute of Marine Research" }];
    const identifiers = name.startsWith("Lind") ? [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }] : [];
    return { person_or_org: { type: "personal", family_name, given_name, identifiers }, affiliations };
  });
  const about = {
    ...metadata,
    resource_type: { id: "dataset" },
    title: "Grain sizes and oxygen isotopes of twelve gravity cores from the Fram Strait, 1998–2024",
    creators: people,
    description: `<p>${"Grain sizes of twelve gravity cores, measured by laser diffraction after removal of carbonate. ".repeat(6)}</p>`,
    subjects: [{ subject: "sedimentology" }, { subject: "Fram Strait" }],
    rights: [{ id: "cc-by-4.0" }],
    publisher: "Ocean Data Library",
    publication_date: "2024-06-01",
    version: "v1",
  };
  const first = await givenDraft(client, { metadata: about });
  const rows = Array.from({ length: 60 }, (_one, at) => `PS${at};${at * 12};${(at * 7) % 13}`).join("\n");
  await addFile(client, first, "data/depths.csv", `station;depth;share\n${rows}\n`);
  await addFile(
    client,
    first,
    "README.md",
    "# Aim\n\nOne row for each sample.\n\n| column | unit |\n|---|---|\n| depth | cm |\n",
  );
  await addFile(client, first, "cores.zip", await fixtureBytes("info-zip.zip"));
  await addFile(client, first, "map.png", await picture(1200, 800, "png"));
  await publish(client, first);
  const { id: second } = (await client.post(`/api/records/${first}/versions`)).body;
  await client.post(`/api/records/${second}/draft/actions/files-import`);
  await client.put(`/api/records/${second}/draft`, { metadata: { ...about, version: "v2" } });
  await publish(client, second);
  return [first, second];
}

async function picturesOf(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, media: "screen" });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate("document.fonts.ready");
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: width === 390 });
    }
  }
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.screenshot({ path: `${folder}/${name}-print.png`, fullPage: true });
  // Buttons do not stand on paper, so nobody could press them.
  await page.emulateMedia({ media: "screen" });
}

/** Signs in with ORCID, links it to an account, deposits a table and publishes it, as a visitor would. */
async function deposit(page: Page, username: string, password: string): Promise<void> {
  const show = async (name: string) => {
    await picturesOf(page, name);
    print(`${name}  ${new URL(page.url()).pathname}`);
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  await page.goto("/sign-in?next=/me/uploads");
  await page.getByRole("link", { name: /ORCID/ }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await show("14-first-time-with-orcid");
  await page.getByLabel("User name or e-mail address").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in and link" }).click();
  await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
  await show("15-own-library");
  await page.getByRole("button", { name: "New draft" }).first().click();
  await page.getByRole("textbox", { name: "Title" }).fill("Depths of the Fram Strait, soundings of 1912");
  const type = page.getByRole("combobox", { name: "Resource type" });
  await type.fill("Datas");
  await page.getByRole("option", { name: "Dataset", exact: true }).click();
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add files" }).click();
  const table = Buffer.from("station;depth\n1;2410\n2;2532\n");
  await (await choosing).setFiles({ name: "soundings.csv", mimeType: "text/csv", buffer: table });
  await page.getByText("Nothing is missing.").waitFor();
  await show("16-deposit");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).waitFor();
  await show("17-before-publishing");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await page.getByRole("heading", { name: "Cite" }).waitFor();
  await show("18-published");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await page.goto(`/records/${id}`);
  await show("19-public-page");
}

/** `npm run visit`: a visitor's day in pictures, at three widths, light, dark and on paper (issue 18). */
async function main(): Promise<void> {
  const executablePath = findOrInstallChromium(print);
  await buildRenderer(print);
  await mkdir(folder, { recursive: true });
  const data = await mkdtemp(join(tmpdir(), "carrel-visit-"));
  const orcid = await openIdentityProvider({ sub: "0000-0002-1825-0097", name: "Grace Hopper" });
  const secret = join(data, "secret");
  await writeFile(secret, `${clientSecret}\n`);
  const sea = { slug: "sea", title: "Of the sea", query: "metadata.title:core*", text: "Cores, cruises and moorings." };
  const server = await openServer({
    ...{ dataDir: join(data, "server"), hostName: "127.0.0.1", port: 0, environment: machineEnvironment() },
    settings: settingsSchema.parse({
      site: { name: "Ocean Data Library", contact: "library@example.org" },
      collections: [sea],
      sign_in: {
        providers: [
          {
            ...{ id: "orcid", label: "ORCID", kind: "orcid", issuer: orcid.issuer, client_id: "carrel" },
            client_secret: { file: secret },
          },
        ],
      },
      smtp: { url: "smtp://127.0.0.1:9", from: "library@example.org" },
    }),
    log: createLog("fatal"),
  });
  orcid.serve(`${server.url}/sign-in/orcid/callback`);
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    const people = await createPeople(server.services);
    await createSamples(server.url, people);
    const client = new HttpClient(server.url, people.grace.token);
    const [first, second] = await givenPaper(client);
    const access = { record: "public", files: "restricted" };
    const closed = await givenDraft(client, { metadata: { ...metadata, title: "Positions of wrecks" }, access });
    await addFile(client, closed, "wrecks.csv", "a;b\n1;2\n");
    await publish(client, closed);
    const { parent } = (await client.get(`/api/records/${closed}`)).body;
    await client.put(`/api/records/${closed}/access`, {
      ...parent?.access?.settings,
      allow_guest_requests: true,
      allow_user_requests: true,
    });
    const hidden = await givenDraft(client, {
      metadata,
      access: { record: "restricted", files: "restricted" },
      files: { enabled: false },
    });
    await publish(client, hidden);
    const page = await browser.newPage({ baseURL: server.url, reducedMotion: "reduce" });
    page.setDefaultTimeout(120_000);
    const stations: Record<string, string> = {
      "1-home": "/",
      "2-search": "/search?q=data",
      "3-record": `/records/${second}`,
      "4-files": `/records/${second}/files/`,
      "5-archive": `/records/${second}/files/cores.zip`,
      "6-table": `/records/${second}/files/data/depths.csv`,
      "7-export": `/records/${second}/export`,
      "8-older-version": `/records/${first}`,
      "9-restricted-files": `/records/${closed}`,
      "10-access-request": `/records/${closed}/access-request`,
      "11-restricted-record": `/records/${hidden}`,
      "12-sign-in": "/sign-in",
      "13-collection": "/collections/sea",
    };
    for (const [name, path] of Object.entries(stations)) {
      await page.goto(path);
      await picturesOf(page, name);
      print(`${name}  ${path}`);
    }
    await deposit(page, people.grace.username, people.grace.password);
  } finally {
    await browser.close();
    orcid.close();
    await server.close();
    await rm(data, { recursive: true, force: true });
  }
  print(`Pictures are in ${folder}.`);
}

await main();
