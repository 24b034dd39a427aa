/** The objects of the feed. A family is a parent with all its records, drafts, files, links and grants. */
export type ObjectKind = "family" | "request" | "user" | "group" | "notification";
export interface ObjectRef {
  kind: ObjectKind;
  id: string;
  /** In a write: only drafts of the family have changed, nothing that is published. */
  isDraftOnly?: true;
}
