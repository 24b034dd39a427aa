/** Server: the language of the page on which a guest asked for access, which is that of the mails to them. */
export const guestLanguage = "ALTER TABLE access_confirmation ADD COLUMN language TEXT;";
