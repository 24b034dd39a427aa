/** A change of one source file as it is loaded: `find` stands in it exactly once. */
export interface Patch {
  /** Path from the root of the repository. */
  file: string;
  find: string;
  put: string;
}

/** The text with the patches in it. @throws Error when a place is not there, or not the only one. */
export function patched(source: string, patches: readonly Patch[]): string {
  return patches.reduce((text, { file, find, put }) => {
    const count = text.split(find).length - 1;
    if (count !== 1) throw new Error(`${file} has ${count} places that read: ${find}`);
    return text.replace(find, () => put);
  }, source);
}
