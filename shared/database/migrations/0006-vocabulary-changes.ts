/** Replicas ask for the entries that changed after the last one they have. */
export const vocabularyChanges = "CREATE INDEX vocabulary_entry_updated ON vocabulary_entry(updated, number);";
