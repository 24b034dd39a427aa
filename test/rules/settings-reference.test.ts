import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { settingsSchema } from "../../shared/settings/settings.schema.ts";
import { repository } from "../support/run.ts";

interface Shape {
  default?: unknown;
  properties?: Record<string, Shape>;
  items?: Shape;
}

/** Paths of all settings that hold no others, with their defaults. */
function* settingsIn({ properties = {} }: Shape, path = ""): Generator<[path: string, value: unknown]> {
  for (const [key, shape] of Object.entries(properties)) {
    const inner = [...settingsIn(shape, `${path}${key}.`), ...settingsIn(shape.items ?? {}, `${path}${key}[].`)];
    // Where a secret stands is explained as one.
    if (inner.length === 0) yield [`${path}${key}`, shape.default];
    else yield* inner;
  }
}

const page = readFileSync(join(repository, "server/settings.md"), "utf8");

/** Each setting of the tables, with its default. */
const told = [...page.matchAll(/^\| (`[^|]+`) \| ([^|]+) \| /gm)].flatMap(([, names = "", value = ""]) =>
  [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]): [string, unknown] => [
    name,
    value === "–" ? undefined : JSON.parse(value.replaceAll("`", "")),
  ]),
);

describe("the page of the settings (issue 19, 8)", () => {
  test("names every setting with its default, and no other", () => {
    const settings = [...settingsIn(z.toJSONSchema(settingsSchema, { io: "input", unrepresentable: "any" }) as Shape)];
    expect(settings.length).toBeGreaterThan(50);
    expect(new Map(told)).toEqual(new Map(settings));
    expect(told).toHaveLength(settings.length);
  });

  test("shows a file that the server accepts", () => {
    const [, example = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
    expect(settingsSchema.safeParse(JSON.parse(example)).error).toBeUndefined();
  });
});
