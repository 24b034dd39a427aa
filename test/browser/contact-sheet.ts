import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { run } from "../support/run.ts";

// `npm run contact-sheet`: takes a picture of all screens, and puts them on a few sheets, in light and dark, for people.

const folder = ".screenshots";
const sheets = join(folder, "sheets");
const [tilePx, gapPx, captionPx] = [480, 16, 24];
const heightPx = (tilePx * 800) / 1280;
/** Screens beside each other, each with its light and its dark picture, and below each other. */
const [across, down] = [2, 5];

const args = ["test", "--config", "test/browser/playwright.config.ts", "screens.spec.ts"];
const { code } = await run("playwright", args, { live: true, env: { CARREL_PICTURES: "1" } });
if (code !== 0) process.stderr.write("Some screens failed; their pictures may be missing or old.\n");
const pictures = new Set(await readdir(folder));
// Pictures of other tests may have one theme only.
const names = [...pictures]
  .filter((name) => name.endsWith("-light.png") && pictures.has(name.replace("-light.png", "-dark.png")))
  .map((name) => name.slice(0, -"-light.png".length))
  .sort();
await mkdir(sheets, { recursive: true });

const caption = (name: string) =>
  Buffer.from(
    `<svg width="${tilePx}" height="${captionPx}"><text x="0" y="17" font-family="sans-serif" font-size="15">${name}</text></svg>`,
  );

async function tilesOf(name: string, place: number) {
  const left = gapPx + (place % across) * 2 * (tilePx + gapPx);
  const top = gapPx + Math.floor(place / across) * (heightPx + captionPx + gapPx);
  const both = await Promise.all(
    ["light", "dark"].map(async (theme, at) => ({
      // A picture of the whole page may be longer than the window.
      input: await sharp(join(folder, `${name}-${theme}.png`))
        .resize(tilePx, heightPx, { position: "top" })
        .toBuffer(),
      left: left + at * (tilePx + gapPx),
      top: top + captionPx,
    })),
  );
  return [{ input: caption(name), left, top }, ...both];
}

for (let first = 0; first < names.length; first += across * down) {
  const tiles = await Promise.all(names.slice(first, first + across * down).map(tilesOf));
  const width = gapPx + across * 2 * (tilePx + gapPx);
  const height = gapPx + down * (heightPx + captionPx + gapPx);
  const file = join(sheets, `${String(first / (across * down) + 1).padStart(2, "0")}.png`);
  await sharp({ create: { width, height, channels: 3, background: "#c8ccd0" } })
    .composite(tiles.flat())
    .png()
    .toFile(file);
  process.stdout.write(`${file}\n`);
}
