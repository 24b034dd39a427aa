import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ZipFile } from "yazl";
import type { HttpClient } from "../support/http-client.ts";
import { repository } from "../support/run.ts";
import type { Person } from "./desk.ts";

const longTitle =
  "A catalogue of bryophyte spectra measured under controlled light, with calibration frames, instrument logs and the scripts that turn raw counts into reflectance for each of the three hundred and twelve specimens";

export const sampleTitles = [
  "Sea surface temperature anomalies in the northern Adriatic, 1998–2024",
  longTitle,
  "Segmentation masks for electron tomography of chloroplasts",
  "Interview transcripts: living with coastal retreat",
];

const people = [
  ["Okonkwo", "Adaeze"],
  ["Lindqvist", "Karin"],
  ["Marchetti", "Paolo"],
  ["Nakamura", "Yuki"],
];

const sampleMetadata = (index: number) => ({
  title: sampleTitles[index % sampleTitles.length],
  resource_type: { id: ["dataset", "publication-report", "software", "image-photo"][index % 4] },
  publication_date: ["2024-05-03", "2023", "2022/2024", "2021-11-30"][index % 4],
  publisher: "Institute of Marine Sciences",
  description:
    '<p>Monthly means on a 4 km grid, derived from <b>infrared</b> radiometers and gap-filled. See <a href="https://example.org">the protocol</a>.</p><ul><li>one file a year</li><li>flags follow GHRSST</li></ul>',
  creators: people.slice(0, 1 + (index % 4)).map(([family_name, given_name], place) => ({
    person_or_org: {
      type: "personal",
      family_name,
      given_name,
      ...(place === 0 ? { identifiers: [{ scheme: "orcid", identifier: "0000-0002-1825-0097" }] } : {}),
    },
    affiliations: place < 2 ? [{ id: "01ggx4157" }] : [],
  })),
  rights: [{ id: "cc-by-4.0" }],
  languages: [{ id: "eng" }],
  subjects: [{ subject: "oceanography" }, { subject: "remote sensing" }],
});

/** An archive with folders, made in memory. */
export async function smallZip(): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from("# Sea surface temperature\n\nOne file a day.\n"), "README.md");
  for (let year = 1998; year < 2004; year++)
    for (let day = 1; day <= 20; day++)
      zip.addBuffer(Buffer.from("lat,lon,sst\n45.1,13.2,18.4\n".repeat(20)), `sst/${year}/sst-${year}-${day}.csv`);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** One file of each kind with a preview. */
export const previewFiles: Record<string, Buffer> = {
  "stations.csv": Buffer.from(
    `station;lat;lon;note\n${Array.from({ length: 3000 }, (_, index) => `S${index};45.${index};13.2;"calm; clear"`).join("\n")}\n`,
  ),
  "settings.json": Buffer.from(
    JSON.stringify({
      name: "mooring 4",
      depths: [5, 10, 20],
      inner: { more: { value: "deep" } },
      isOn: true,
      end: null,
    }),
  ),
  "NOTES.md": Buffer.from(
    "# Field notes\n\nTwo *moorings* and **one** buoy; see [the log](https://example.org/log) or [evil](javascript:alert(1)).\n\n" +
      "- checked\n- cleaned\n\n| day | wind |\n|-----|------|\n| Mon | 4 |\n\n<script>alert(1)</script>\n\n```\nrun --all\n```\n\n" +
      "Where\n-----\n\nAt the [pier][p], \\*as measured\\*.[^1]\n\n[p]: https://example.org/pier\n[^1]: By hand.\n",
  ),
  "run.py": Buffer.from("import sys\n\n\ndef main():\n    print('done')\n\n\nmain()\n"),
  "dot.png": Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
  "paper.pdf": Buffer.from("%PDF-1.4\n%%EOF\n"),
};

interface SampleOptions {
  isPublished?: boolean;
  zip?: Buffer;
  files?: Record<string, Buffer>;
  title?: string;
}

/** Creates a user's record with files on the server, published by default. @returns its id. */
export async function givenSample(
  client: HttpClient,
  index: number,
  { isPublished = true, zip, files: more = {}, title }: SampleOptions = {},
) {
  const metadata = { ...sampleMetadata(index), ...(title ? { title } : {}) };
  const made = await client.post("/api/records", { files: { enabled: true }, metadata });
  const path = `/api/records/${made.body.id}/draft`;
  const files: [string, string | Buffer][] = [
    ["README.md", "# Read me\n\nFlags follow GHRSST.\n"],
    ...Object.entries(more),
  ];
  if (zip) files.push(["data/sst-1998-2003.zip", zip]);
  await client.post(
    `${path}/files`,
    files.map(([key]) => ({ key })),
  );
  for (const [key, bytes] of files) {
    await client.putBytes(`${path}/files/${key}/content`, bytes);
    await client.post(`${path}/files/${key}/commit`);
  }
  if (isPublished) {
    const { status, text } = await client.post(`${path}/actions/publish`);
    if (status !== 202) throw new Error(`not published: ${text}`);
  }
  return made.body.id as string;
}

/** A ZIP of at least 20 MB and 500 entries, made by Info-ZIP from node_modules, and one of its members. */
export async function largeZip(): Promise<{ path: string; member: string; bytes: Buffer }> {
  const path = join(await mkdtemp(join(tmpdir(), "carrel-zip-")), "library.zip");
  const folders = ["typescript", "lucide-react", "@biomejs"].filter((name) =>
    existsSync(join(repository, "node_modules", name)),
  );
  execFileSync("zip", ["-q", "-1", "-r", path, ...folders], { cwd: join(repository, "node_modules") });
  const member = "typescript/package.json";
  return { path, member, bytes: await readFile(join(repository, "node_modules", member)) };
}

/** A published record whose text, files and access have changed since. */
export async function givenEdited(client: HttpClient): Promise<string> {
  const id = await givenSample(client, 1);
  const path = `/api/records/${id}/draft`;
  const { metadata } = (await client.post(path)).body;
  const description = metadata.description.replace("gap-filled", "gap-filled by kriging");
  const changed = { ...metadata, description, version: "1.1", publisher: undefined, languages: [{ id: "ita" }] };
  await client.put(path, { metadata: changed });
  return id;
}

/** The draft of a second version: another text, the files of the first and one more. */
export async function givenNextVersion(client: HttpClient, zip: Buffer): Promise<string> {
  const first = await givenSample(client, 0, { zip });
  const { id, metadata } = (await client.post(`/api/records/${first}/versions`)).body;
  const path = `/api/records/${id}/draft`;
  await client.post(`${path}/actions/files-import`);
  await client.post(`${path}/files`, [{ key: "gaps.csv" }]);
  await client.putBytes(`${path}/files/gaps.csv/content`, "day,reason\n2003-04-01,repair\n");
  await client.post(`${path}/files/gaps.csv/commit`);
  const description = metadata.description.replace("gap-filled", "gap-filled by kriging");
  const changed = { ...metadata, description, publication_date: "2024-11-20", version: "2.0", publisher: undefined };
  const { status, text } = await client.put(path, { metadata: changed, files: { enabled: true } });
  if (status !== 200) throw new Error(`not saved: ${text}`);
  return id;
}

/** A running review of a draft, with a comment, a file and a reply. @returns its id. */
export async function givenReview(author: HttpClient, reviewer: Person, id: string): Promise<string> {
  const path = `/api/records/${id}/draft`;
  const { body } = await author.put(`${path}/review`, { receiver: { user: reviewer.id } });
  await author.post(`${path}/actions/submit-review`, {
    payload: { content: "<p>Please look at the units.</p>", format: "html" },
  });
  const file = await reviewer.server.putBytes(
    `/api/requests/${body.id}/files/upload/gaps-2003.csv`,
    Buffer.alloc(41_200),
  );
  const comment = await reviewer.server.post(`/api/requests/${body.id}/comments`, {
    payload: {
      files: [{ file_id: file.body.id }],
      content: "<p>The gap in <b>2003</b> is not explained.</p><blockquote>gap-filled</blockquote>",
      format: "html",
    },
  });
  await author.post(`/api/requests/${body.id}/comments/${comment.body.id}/reply`, {
    payload: { content: "<p>The buoy was in repair; I will add the log.</p>", format: "html" },
  });
  return body.id;
}
