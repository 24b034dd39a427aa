/** A body that may be published, without files. */
export const complete = {
  metadata: {
    title: "Tides of the North Sea",
    resource_type: { id: "dataset" },
    publication_date: "2026-05-04",
    creators: [{ person_or_org: { type: "personal", family_name: "Lovelace", given_name: "Ada" } }],
  },
  access: { record: "public", files: "public" },
  files: { enabled: false },
};
