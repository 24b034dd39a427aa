/** The steps of a motif: each at one of two desks, or at the site. */
export type InvenioMotif = readonly (readonly [name: string, at: "a" | "b" | "site"])[];

/** A draft with a file stands on the site, and the desk knows. */
const placed: InvenioMotif = [
  ["create", "a"],
  ["attach", "a"],
  ["time: seconds", "site"],
  ["sync: all", "a"],
];

/** Short stories that random steps would rarely produce: about one object, with faults and other steps between. */
export const invenioMotifs: readonly InvenioMotif[] = [
  // A comment that the server took without an answer, and that no list will ever show.
  [
    ["comment", "a"],
    ["site: bad moment", "site"],
    ["sync: push", "a"],
    ["say again", "a"],
    ["time: minutes", "site"],
    ["sync: all", "a"],
  ],
  [
    ["create", "a"],
    ["edit", "a"],
    ["time: seconds", "site"],
    ["site: bad moment", "site"],
    ["sync: push", "a"],
    ["site: edit", "site"],
    ["token: revoke", "a"],
    ["sync: all", "a"],
  ],
  // The backup holds work that is sent after it.
  [
    ["comment", "a"],
    ["create", "a"],
    ["desk: back up", "a"],
    ["time: seconds", "site"],
    ["sync: all", "a"],
    ["desk: restore", "a"],
    ["sync: all", "a"],
  ],
  // A page of the form is open while the desk edits the same draft.
  [
    ...placed,
    ["site: open page", "site"],
    ["edit", "a"],
    ["time: seconds", "site"],
    ["sync: all", "a"],
    ["site: save old page", "site"],
    ["sync: look now", "a"],
  ],
  // Somebody adds a file whose name the desk gives to another one.
  [
    ["create", "a"],
    ["time: seconds", "site"],
    ["sync: all", "a"],
    ["site: add file", "site"],
    ["attach", "a"],
    ["sync: push", "a"],
    ["remove file", "a"],
    ["sync: all", "a"],
  ],
  // A value that the site does not store, in a draft that somebody publishes.
  [
    ...placed,
    ["site: own rule", "site"],
    ["edit", "a"],
    ["time: seconds", "site"],
    ["sync: all", "a"],
    ["site: own rule", "site"],
    ["site: publish", "site"],
    ["edit", "a"],
    ["time: seconds", "site"],
    ["sync: all", "a"],
  ],
  // A desk edits what it last saw before the edit of a record was begun again.
  [
    ...placed,
    ["site: start over", "site"],
    ["edit", "a"],
    ["time: seconds", "site"],
    ["sync: push", "a"],
    ["sync: all", "b"],
  ],
  // Nobody knows whether the server has published.
  [...placed, ["site: bad moment", "site"], ["publish", "a"], ["time: minutes", "site"], ["publish", "a"]],
  // Two desks edit and publish one record.
  [
    ...placed,
    ["sync: look now", "b"],
    ["publish", "a"],
    ["edit", "b"],
    ["time: seconds", "site"],
    ["sync: all", "b"],
    ["edit again", "a"],
    ["edit", "a"],
    ["time: seconds", "site"],
    ["sync: all", "a"],
    ["publish", "b"],
    ["publish", "a"],
  ],
];
