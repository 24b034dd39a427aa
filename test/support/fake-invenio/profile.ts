/** How sites of one kind differ. */
export interface Profile {
  kind: "invenio" | "zenodo";
  /** Main version of InvenioRDM. */
  version: 13 | 14;
  integerIds: boolean;
  /** `application/json` of records is the old form of Zenodo (F15). */
  legacyJson: boolean;
  maxFiles: number;
  quotaBytes: number;
  emptyFiles: boolean;
  restrictedRecords: boolean;
  metadataOnly: boolean;
  groups: boolean;
  ranges: boolean;
  parts: boolean;
  containers: boolean;
  /** Largest page; stock takes any up to the window (F16). */
  maxHits: number;
  /** Calls a minute and an hour, of guests and of people signed in (F16). */
  limits: { guest: { minute: number; hour: number }; person: { minute: number; hour: number }; search?: number };
  missingSorts: readonly string[];
  locking: boolean;
}

const stock: Profile = {
  kind: "invenio",
  version: 14,
  integerIds: false,
  legacyJson: false,
  maxFiles: 100,
  quotaBytes: 10 * 1024 ** 3,
  emptyFiles: true,
  restrictedRecords: true,
  metadataOnly: true,
  groups: true,
  ranges: false,
  parts: true,
  containers: true,
  maxHits: 10_000,
  limits: { guest: { minute: 500, hour: 30_000 }, person: { minute: 1_000, hour: 60_000 } },
  missingSorts: [],
  locking: false,
};

export const profiles = {
  "invenio-14": stock,
  // 13 counts token calls by the guests' limit (F16) and knows neither containers nor `newestactivity` (F23).
  "invenio-13": {
    ...stock,
    version: 13,
    containers: false,
    missingSorts: ["newestactivity", "oldestactivity"],
    limits: { guest: stock.limits.guest, person: stock.limits.guest },
  },
  zenodo: {
    ...stock,
    kind: "zenodo",
    version: 14,
    integerIds: true,
    legacyJson: true,
    quotaBytes: 50 * 10 ** 9,
    emptyFiles: false,
    restrictedRecords: false,
    metadataOnly: false,
    groups: false,
    ranges: true,
    parts: false,
    containers: true,
    maxHits: 100,
    limits: { guest: { minute: 60, hour: 2_000 }, person: { minute: 100, hour: 5_000 }, search: 30 },
  },
} satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;
