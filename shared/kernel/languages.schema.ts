/** Languages of the pages and mails of the server. */
export const spokenLanguages = ["en", "de"] as const;
export type Language = (typeof spokenLanguages)[number];
