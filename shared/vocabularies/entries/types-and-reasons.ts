import type { VocabularyEntry } from "../vocabulary.schema.ts";
import { readEntries } from "./entry-table.ts";

const titleTypesTable = `
id | en | de | fr | es | it | da | datacite
alternative-title | Alternative title | Alternativer Titel | Titre alternatif | Título alternativo | Titolo alternativo | Alternativ titel | AlternativeTitle
subtitle | Subtitle | Untertitel | Sous-titre | Subtítulo | Sottotitolo | Undertitel | Subtitle
translated-title | Translated title | Übersetzter Titel | Titre traduit | Título traducido | Titolo tradotto | Oversat titel | TranslatedTitle
other | Other | Anderer | Autre | Otro | Altro | Anden | Other
`;

/** `metadata.additional_titles[].type` */
export const titleTypes = (): VocabularyEntry[] => readEntries(titleTypesTable);

const descriptionTypesTable = `
id | en | de | fr | es | it | da | datacite
abstract | Abstract | Zusammenfassung | Résumé | Resumen | Sommario | Resumé | Abstract
methods | Methods | Methoden | Méthodes | Métodos | Metodi | Metoder | Methods
series-information | Series information | Angaben zur Reihe | Informations sur la série | Información de la serie | Informazioni sulla serie | Serieoplysninger | SeriesInformation
table-of-contents | Table of contents | Inhaltsverzeichnis | Table des matières | Tabla de contenidos | Indice | Indholdsfortegnelse | TableOfContents
technical-info | Technical info | Technische Angaben | Informations techniques | Información técnica | Informazioni tecniche | Tekniske oplysninger | TechnicalInfo
other | Other | Andere | Autre | Otra | Altra | Anden | Other
`;

/** `metadata.additional_descriptions[].type` */
export const descriptionTypes = (): VocabularyEntry[] => readEntries(descriptionTypesTable);

const dateTypesTable = `
id | en | de | fr | es | it | da | datacite
accepted | Accepted | Angenommen | Accepté | Aceptado | Accettato | Accepteret | Accepted
available | Available | Verfügbar | Disponible | Disponible | Disponibile | Tilgængelig | Available
collected | Collected | Erhoben | Collecté | Recolectado | Raccolto | Indsamlet | Collected
copyrighted | Copyrighted | Urheberrechtlich geschützt | Protégé par le droit d'auteur | Protegido por derechos de autor | Protetto da copyright | Ophavsretligt beskyttet | Copyrighted
coverage | Coverage | Abgedeckter Zeitraum | Période couverte | Cobertura | Copertura | Dækning | Other
created | Created | Erstellt | Créé | Creado | Creato | Oprettet | Created
issued | Issued | Erschienen | Publié | Publicado | Pubblicato | Udgivet | Issued
submitted | Submitted | Eingereicht | Soumis | Enviado | Inviato | Indsendt | Submitted
updated | Updated | Aktualisiert | Mis à jour | Actualizado | Aggiornato | Opdateret | Updated
valid | Valid | Gültig | Valide | Válido | Valido | Gyldig | Valid
withdrawn | Withdrawn | Zurückgezogen | Retiré | Retirado | Ritirato | Trukket tilbage | Withdrawn
other | Other | Anderes | Autre | Otra | Altra | Anden | Other
`;

/** `metadata.dates[].type` */
export const dateTypes = (): VocabularyEntry[] => readEntries(dateTypesTable);

const removalReasonsTable = `
id | en | de | fr | es | it | da
duplicate | Duplicate | Dublette | Doublon | Duplicado | Duplicato | Dublet
retracted | Retracted | Zurückgezogen | Rétracté | Retractado | Ritirato | Tilbagetrukket
replaced | Replaced | Ersetzt | Remplacé | Reemplazado | Sostituito | Erstattet
spam | Spam | Spam | Spam | Spam | Spam | Spam
test-record | Test record | Testdatensatz | Notice de test | Registro de prueba | Record di prova | Testpost
copyright | Copyright infringement | Urheberrechtsverletzung | Violation du droit d'auteur | Infracción de derechos de autor | Violazione del copyright | Krænkelse af ophavsret
personal-data | Personal data | Personenbezogene Daten | Données personnelles | Datos personales | Dati personali | Personoplysninger
take-down-request | Take-down request | Löschaufforderung | Demande de retrait | Solicitud de retirada | Richiesta di rimozione | Anmodning om fjernelse
disputed-authorship | Disputed authorship | Strittige Urheberschaft | Paternité contestée | Autoría disputada | Paternità contestata | Omstridt forfatterskab
misconduct | Misconduct | Fehlverhalten | Manquement à l'intégrité | Mala conducta | Condotta scorretta | Uredelighed
fraud | Fraud | Betrug | Fraude | Fraude | Frode | Svindel
out-of-scope | Out of scope | Außerhalb des Sammelgebiets | Hors périmètre | Fuera de alcance | Fuori ambito | Uden for området
`;

/** Why a published record was deleted. */
export const removalReasons = (): VocabularyEntry[] => readEntries(removalReasonsTable);
