/** For replicas, which request the entries that changed after their last one. */
export const vocabularyChanges = "CREATE INDEX vocabulary_entry_updated ON vocabulary_entry(updated, number);";
