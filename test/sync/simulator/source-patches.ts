/** A change of one source file while it loads. `find` must occur exactly once. */
export interface Patch {
  /** Path from the root of the repository. */
  file: string;
  find: string;
  put: string;
}

/** The patched text. @throws Error when `find` does not occur exactly once. */
export function patched(source: string, patches: readonly Patch[]): string {
  return patches.reduce((text, { file, find, put }) => {
    const count = text.split(find).length - 1;
    if (count !== 1) throw new Error(`${file} has ${count} places that read: ${find}`);
    return text.replace(find, () => put);
  }, source);
}
