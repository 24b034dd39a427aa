import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { repository, run } from "../support/run.ts";

const read = (name: string): unknown => JSON.parse(readFileSync(join(repository, name), "utf8"));

const lockfile = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.string(),
        integrity: z.string().optional(),
        dev: z.boolean().default(false),
        devOptional: z.boolean().default(false),
      }),
    ),
  })
  .parse(read("package-lock.json"));
const locked = Object.entries(lockfile.packages).filter(([path]) => path !== "");
const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

const license = z.union([
  z.object({ license: z.union([z.object({ id: z.string() }), z.object({ name: z.string() })]) }),
  z.object({ expression: z.string() }),
]);
/** What CycloneDX 1.5 asks of a bill of materials, as far as npm writes it. */
const component = z.object({
  "bom-ref": z.string().min(1),
  type: z.enum(["application", "framework", "library"]),
  name: z.string().min(1),
  version: z.string().min(1),
  purl: z.string().startsWith("pkg:npm/"),
  licenses: z.array(license).default([]),
  hashes: z.array(z.object({ alg: z.string(), content: z.string().regex(/^[0-9a-f]{40,128}$/) })).default([]),
  properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
});
const bill = z.object({
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.5"),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/),
  version: z.literal(1),
  metadata: z.object({ timestamp: z.iso.datetime(), component }),
  components: z.array(component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const permissive = [
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "Unlicense",
  "CC0-1.0",
  "PSF-2.0",
];
// Typefaces, which are shipped as they are.
const mayShip = [...permissive, "OFL-1.1"];

/** Names no licence in its package.json; its LICENSE.txt is the MIT licence. */
const unnamedMit = ["thirty-two"];

/**
 * libvips, which draws pictures in other sizes (web, issue 18), has the LGPL. sharp links it dynamically and unmodified, as
 * a file that users may replace, so Carrel itself stays under the MIT licence. LICENSE and the READMEs say so.
 */
const replaceable = /^@img\/sharp-(?:libvips-[\w-]+|win32-\w+|wasm32)$/;
const isReplaceable = (one: z.infer<typeof component>): boolean =>
  replaceable.test(one.name) && choicesOf(one).every((id) => id.split(" AND ").every((part) => lesser.includes(part)));
const lesser = ["LGPL-3.0-or-later", ...permissive];

const isDevelopment = ({ properties }: z.infer<typeof component>) =>
  properties.some(({ name }) => name === "cdx:npm:package:development");

/** The licences of a component; of an expression joined by OR one is enough. */
function choicesOf({ licenses }: z.infer<typeof component>): string[] {
  return licenses.flatMap((one) => {
    if ("expression" in one) return one.expression.replaceAll(/[()]/g, "").split(" OR ");
    return "id" in one.license ? [one.license.id] : one.license.name.replaceAll(/[()]/g, "").split(" OR ");
  });
}

describe("the supply chain", () => {
  let sbom: z.infer<typeof bill>;
  beforeAll(async () => {
    const { code, output } = await run("npm", ["run", "--silent", "sbom"]);
    expect(code, output).toBe(0);
    sbom = bill.parse(JSON.parse(output.slice(output.indexOf("{\n"))));
  });

  test("package.json names exact versions, and the lockfile pins each package by its hash", () => {
    const versions = z.record(z.string(), z.string());
    const { dependencies, devDependencies } = z
      .object({ dependencies: versions, devDependencies: versions })
      .parse(read("package.json"));
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      // Under another name, a package has its own before the version.
      ([, range]) => !/^(?:npm:[\w@/-]+@)?\d[\w.-]*$/.test(range),
    );
    expect(loose).toEqual([]);
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
  });

  test("`npm run sbom` is well formed: no reference occurs twice, and none leads nowhere", () => {
    const refs = [sbom.metadata.component, ...sbom.components].map((one) => one["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    const named = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !refs.includes(ref))).toEqual([]);
    expect(sbom.metadata.component).toMatchObject({
      "bom-ref": expect.stringContaining("carrel@"),
      type: "application",
    });
  });

  test("it names every shipped package with version, hash and licence, and Electron", () => {
    const shipped = locked.filter(([, { dev, devOptional }]) => !dev && !devOptional);
    expect(shipped.length).toBeGreaterThan(100);
    const named = new Map(sbom.components.map((one) => [`${one.name}@${one.version}`, one]));
    for (const [path, { version }] of shipped) {
      const found = named.get(`${nameOf(path)}@${version}`);
      expect(found, path).toBeDefined();
      if (!unnamedMit.includes(nameOf(path))) expect(found?.licenses.length, path).toBeGreaterThan(0);
      expect(found?.hashes.length, path).toBeGreaterThan(0);
    }
    expect(sbom.components.find(({ name }) => name === "electron")).toMatchObject({ version: expect.any(String) });
  });

  test("what is shipped has a permissive licence", () => {
    const others = sbom.components
      .filter(
        (one) =>
          !isDevelopment(one) &&
          !unnamedMit.includes(one.name) &&
          !isReplaceable(one) &&
          !choicesOf(one).some((id) => mayShip.includes(id)),
      )
      .map((one) => `${one.name} ${choicesOf(one)}`);
    expect(others).toEqual([]);
  });

  test("the one library with another licence is named where users read", () => {
    expect(sbom.components.some(isReplaceable)).toBe(true);
    for (const file of ["LICENSE", "README.md", "main/packaging/npm-readme.md"])
      expect([file, readFileSync(join(repository, file), "utf8")]).toEqual([
        file,
        expect.stringMatching(/libvips[\s\S]*LGPL/),
      ]);
  });
});
