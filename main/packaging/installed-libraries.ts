/** Libraries that an install has in its `node_modules`. All others are part of the bundle. */
export const installedLibraries = [
  // Native code for each system.
  "better-sqlite3",
  "sharp",
  // Large lists, read when they are needed.
  "@zxcvbn-ts/language-common",
  "spdx-license-list",
] as const;
