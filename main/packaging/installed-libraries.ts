/** Libraries that npm installs next to the program. All others are part of the bundle. */
export const installedLibraries = [
  // Have native code for each operating system.
  "better-sqlite3",
  "sharp",
  // Have large lists, which are loaded when they are needed.
  "@zxcvbn-ts/language-common",
  "spdx-license-list",
] as const;
