import { normalForm } from "../kernel/normal-form.ts";

export interface Avatar {
  svg: string;
  /** `"<CHAR><#rrggbb>"` (requests 11); of a picture its digest. */
  etag: string;
}

const hues = [
  "#b5402a",
  "#9a5b00",
  "#5f6b00",
  "#2b7a3b",
  "#00756f",
  "#1b6ca8",
  "#4557c2",
  "#7a48b5",
  "#a23a86",
  "#6b5b4b",
];

function hueOf(id: string): string {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return hues[sum % hues.length] ?? "#4557c2";
}

/** The first letter of a name in upper case, accents removed. */
function initialOf(name: string): string {
  const plain = normalForm(name.trim(), "NFKD")
    .replace(/\p{M}+/gu, "")
    .toUpperCase();
  return Array.from(plain)[0] ?? "?";
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Draws an SVG disc with the first letter of a name. The colour depends on the id. No script, no external resources. */
export function drawAvatar(id: string, name: string): Avatar {
  const initial = initialOf(name);
  const hue = hueOf(id);
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 256 256" role="img">',
    `<circle cx="128" cy="128" r="128" fill="${hue}"/>`,
    '<text x="128" y="128" dy="0.35em" text-anchor="middle" font-family="sans-serif" font-size="120" fill="#ffffff">',
    `${escaped(initial)}</text></svg>`,
  ].join("");
  return { svg, etag: `"${initial}${hue}"` };
}
