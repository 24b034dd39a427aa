/**
 * What the operator set. Features declare its members, so that the kernel knows none of them: `settings.schema.ts` in
 * `shared/settings` puts them together and extends this type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features fill it
export interface Settings {}
