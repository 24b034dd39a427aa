import { readTable } from "../vocabularies/entries/entry-table.ts";
import type { LocalisedText } from "../vocabularies/vocabulary.schema.ts";

const titles = `
id | en | de | fr | es | it | da
open | Open | Offen | Ouvert | Abierto | Aperto | Åben
embargoed | Embargoed | Unter Embargo | Sous embargo | Bajo embargo | Sotto embargo | Under embargo
restricted | Restricted | Eingeschränkt | Restreint | Restringido | Riservato | Begrænset
metadata-only | Metadata-only | Nur Metadaten | Métadonnées seules | Solo metadatos | Solo metadati | Kun metadata
`;

const descriptions = `
id | en | de | fr | es | it | da
open | The record and files are publicly accessible. | Eintrag und Dateien sind öffentlich zugänglich. | La notice et les fichiers sont accessibles au public. | El registro y los archivos son de acceso público. | Il record e i file sono accessibili pubblicamente. | Posten og filerne er offentligt tilgængelige.
embargoed | The files will be made publicly available later. | Die Dateien werden später öffentlich zugänglich. | Les fichiers seront rendus publics plus tard. | Los archivos se harán públicos más adelante. | I file saranno resi pubblici in seguito. | Filerne bliver offentligt tilgængelige senere.
restricted | The record or its files are restricted to users with access. | Eintrag oder Dateien sind nur für Berechtigte zugänglich. | La notice ou ses fichiers sont réservés aux personnes autorisées. | El registro o sus archivos están restringidos a usuarios con acceso. | Il record o i suoi file sono riservati agli utenti autorizzati. | Posten eller dens filer er kun for brugere med adgang.
metadata-only | No files are available for this record. | Zu diesem Eintrag gibt es keine Dateien. | Aucun fichier n'est disponible pour cette notice. | No hay archivos disponibles para este registro. | Nessun file è disponibile per questo record. | Der er ingen filer til denne post.
`;

/** For an embargo whose end is known, by the visibility of the record: `{date}` stands for the date. */
const embargoes = `
id | en | de | fr | es | it | da
restricted | The record and files will be made publicly available on {date}. | Eintrag und Dateien werden am {date} öffentlich zugänglich. | La notice et les fichiers seront rendus publics le {date}. | El registro y los archivos se harán públicos el {date}. | Il record e i file saranno resi pubblici il {date}. | Posten og filerne bliver offentligt tilgængelige den {date}.
public | The files will be made publicly available on {date}. | Die Dateien werden am {date} öffentlich zugänglich. | Les fichiers seront rendus publics le {date}. | Los archivos se harán públicos el {date}. | I file saranno resi pubblici il {date}. | Filerne bliver offentligt tilgængelige den {date}.
`;

/** Icons by access status, by their names in the pages' icon set. */
export const accessStatusIcons: Record<string, string> = {
  open: "lock-open",
  embargoed: "clock",
  restricted: "lock",
  "metadata-only": "tag",
};

const read = (table: string): Map<string, LocalisedText> =>
  new Map(readTable(table).map(({ id = "", ...texts }) => [id, texts]));

/** Names and explanations of the access statuses, in six languages. */
export const accessStatusTitles = read(titles);
export const accessStatusDescriptions = read(descriptions);
export const embargoSentences = read(embargoes);
