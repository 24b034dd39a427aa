import { ZipFile } from "yazl";
import type { Services } from "../../shared/api.ts";
import { hashPassword } from "../../shared/sign-in/password-hash.ts";
import { newUser } from "../../shared/users/user.schema.ts";

export interface DemoPerson {
  id: string;
  username: string;
  password: string;
  token: string;
  does: string;
}

type People = Record<"grace" | "ada" | "admin", DemoPerson>;

const cards = {
  grace: { full_name: "Grace Hopper", affiliations: "Research vessel Meteor", does: "depositor" },
  ada: { full_name: "Ada Lovelace", affiliations: "Institute of Ocean Sciences", does: "reviewer" },
  admin: { full_name: "Alex Admin", affiliations: "", does: "administrator", roles: ["superuser-access"] },
};

/** Three users with passwords and tokens. */
export async function createPeople(services: Services): Promise<People> {
  const people: [string, DemoPerson][] = [];
  for (const [username, { does, ...card }] of Object.entries(cards)) {
    const password = `${username}-password`;
    const user = { ...card, username, email: `${username}@example.org`, password_hash: await hashPassword(password) };
    const id = await services.users.create(newUser.parse(user));
    const grant = { userId: id, byPassword: false, defaultScopes: ["read", "write", "tokens"] as const };
    const { secret } = await services.tokens.issue(grant, { name: "demo" });
    people.push([username, { id, username, password, token: secret, does }]);
  }
  return Object.fromEntries(people) as People;
}

async function call(url: string, token: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const isBytes = body instanceof Uint8Array;
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": isBytes ? "application/octet-stream" : "application/json" }),
    },
    ...(body === undefined ? {} : { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Depth, temperature and salinity of an invented cast, one line per metre. */
function castTable(depths: number, surface: number): string {
  const lines = ["depth_m,temperature_c,salinity_psu"];
  for (let depth = 0; depth < depths; depth++) {
    const temperature = 2 + (surface - 2) * Math.exp(-depth / 180);
    lines.push(`${depth},${temperature.toFixed(3)},${(34.1 + 0.6 * (1 - Math.exp(-depth / 300))).toFixed(3)}`);
  }
  return `${lines.join("\n")}\n`;
}

interface Sample {
  title: string;
  description: string;
  type: string;
  date: string;
  subjects: string[];
  files: Record<string, Buffer>;
}

async function samples(): Promise<Sample[]> {
  const casts = Object.fromEntries(
    [...Array(24).keys()].map((n) => [
      `station-${String(n + 1).padStart(2, "0")}/ctd.csv`,
      castTable(400, 14 + (n % 7)),
    ]),
  );
  return [
    {
      title: "CTD casts of the Meteor cruise M212, stations 1 to 24",
      description: "<p>Temperature and salinity profiles, one table a station, with the processing notes.</p>",
      type: "dataset",
      date: "2026-09-14",
      subjects: ["oceanography", "CTD"],
      files: {
        "casts.zip": await zipOf({ ...casts, "README.md": "# Casts\n\nOne folder a station.\n" }),
        "README.md": Buffer.from("# CTD casts\n\nUnits are in the header of each table.\n"),
      },
    },
    {
      title: "Sediment core photographs, Norwegian Sea",
      description: "<p>Index and notes to the photographs of core MC-3.</p>",
      type: "image-photo",
      date: "2026-06",
      subjects: ["sediment cores"],
      files: { "index.csv": Buffer.from("section,top_cm,bottom_cm\n1,0,96\n2,96,188\n") },
    },
    {
      title: "A small toolbox for salinity corrections",
      description: "<p>Functions that correct conductivity readings for cell thermal mass.</p>",
      type: "software",
      date: "2025-11-30",
      subjects: ["oceanography", "software"],
      files: { "correct.py": Buffer.from("def correct(c, t, lag=0.3):\n    return c + lag * (t - t.mean())\n") },
    },
  ];
}

const metadataOf = (sample: Sample) => ({
  title: sample.title,
  description: sample.description,
  resource_type: { id: sample.type },
  publication_date: sample.date,
  publisher: "Carrel demo",
  rights: [{ id: "cc-by-4.0" }],
  languages: [{ id: "eng" }],
  subjects: sample.subjects.map((subject) => ({ subject })),
  creators: [
    {
      person_or_org: { type: "personal", family_name: "Hopper", given_name: "Grace" },
      affiliations: [{ name: "Research vessel Meteor" }],
    },
  ],
});

async function deposit(url: string, token: string, sample: Sample): Promise<string> {
  const draft = (await call(url, token, "POST", "/records", { metadata: metadataOf(sample) })) as { id: string };
  const files = `/records/${draft.id}/draft/files`;
  await call(
    url,
    token,
    "POST",
    files,
    Object.keys(sample.files).map((key) => ({ key })),
  );
  for (const [key, bytes] of Object.entries(sample.files)) {
    await call(url, token, "PUT", `${files}/${key}/content`, bytes);
    await call(url, token, "POST", `${files}/${key}/commit`);
  }
  return draft.id;
}

/** Published records, a draft in review with a conversation, and an unfinished draft. */
export async function createSamples(url: string, { grace, ada }: People): Promise<void> {
  for (const sample of await samples()) {
    const id = await deposit(url, grace.token, sample);
    await call(url, grace.token, "POST", `/records/${id}/draft/actions/publish`);
  }
  const [sample] = await samples();
  if (!sample) return;
  const title = "CTD casts of the Meteor cruise M213, first leg";
  const id = await deposit(url, grace.token, { ...sample, title, date: "2026-11" });
  await call(url, grace.token, "PUT", `/records/${id}/draft/review`, {
    type: "default-request",
    receiver: { user: ada.id },
    title: "Please look at the first leg",
  });
  const request = (await call(url, grace.token, "POST", `/records/${id}/draft/actions/submit-review`, {
    payload: { content: "<p>Station 7 is still missing, the rest is final.</p>", format: "html" },
  })) as { id: string };
  await call(url, ada.token, "POST", `/requests/${request.id}/comments`, {
    payload: { content: "<p>Thank you. Which sensor was used at <b>station 3</b>?</p>", format: "html" },
  });
  await call(url, grace.token, "POST", "/records", { metadata: { title: "Notes from the mooring recovery" } });
}
