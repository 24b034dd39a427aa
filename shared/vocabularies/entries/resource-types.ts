import type { VocabularyEntry } from "../vocabulary.schema.ts";
import { readEntries } from "./entry-table.ts";

// What other formats call the type: DataCite general and specific, CSL, schema.org, BibTeX, info:eu-repo.
// image-photo has an English title alone: records 8.5 states that title as a whole.
const table = `
id | en | de | fr | es | it | da | datacite_general | datacite_type | csl | schema.org | bibtex | eurepo
publication | Publication | Veröffentlichung | Publication | Publicación | Pubblicazione | Publikation | Text | | article | https://schema.org/ScholarlyArticle | misc | other
publication-article | Journal article | Zeitschriftenartikel | Article de revue | Artículo de revista | Articolo di rivista | Tidsskriftsartikel | JournalArticle | | article-journal | https://schema.org/ScholarlyArticle | article | article
publication-annotationcollection | Annotation collection | Annotationssammlung | Collection d'annotations | Colección de anotaciones | Raccolta di annotazioni | Annotationssamling | Collection | | collection | https://schema.org/Collection | misc | annotation
publication-book | Book | Buch | Livre | Libro | Libro | Bog | Book | | book | https://schema.org/Book | book | book
publication-section | Book chapter | Buchkapitel | Chapitre de livre | Capítulo de libro | Capitolo di libro | Bogkapitel | BookChapter | | chapter | https://schema.org/Chapter | inbook | bookPart
publication-conferencepaper | Conference paper | Konferenzbeitrag | Communication de conférence | Ponencia de congreso | Contributo a convegno | Konferencebidrag | ConferencePaper | | paper-conference | https://schema.org/ScholarlyArticle | inproceedings | conferencePaper
publication-conferenceproceeding | Conference proceeding | Tagungsband | Actes de conférence | Actas de congreso | Atti di convegno | Konferencerapport | ConferenceProceeding | | book | https://schema.org/Book | proceedings | conferenceProceedings
publication-datamanagementplan | Data management plan | Datenmanagementplan | Plan de gestion des données | Plan de gestión de datos | Piano di gestione dei dati | Datahåndteringsplan | OutputManagementPlan | | article | https://schema.org/CreativeWork | misc | other
publication-datapaper | Data paper | Datenpublikation | Article de données | Artículo de datos | Articolo sui dati | Dataartikel | DataPaper | | article-journal | https://schema.org/ScholarlyArticle | article | article
publication-deliverable | Project deliverable | Projektergebnis | Livrable de projet | Entregable de proyecto | Risultato di progetto | Projektleverance | Text | Project deliverable | report | https://schema.org/CreativeWork | techreport | report
publication-dissertation | Thesis | Abschlussarbeit | Thèse | Tesis | Tesi | Afhandling | Dissertation | | thesis | https://schema.org/Thesis | phdthesis | doctoralThesis
publication-journal | Journal | Zeitschrift | Revue | Revista | Rivista | Tidsskrift | Journal | | periodical | https://schema.org/Periodical | misc | other
publication-milestone | Project milestone | Projektmeilenstein | Jalon de projet | Hito de proyecto | Traguardo di progetto | Projektmilepæl | Text | Project milestone | report | https://schema.org/CreativeWork | techreport | report
publication-patent | Patent | Patent | Brevet | Patente | Brevetto | Patent | Text | Patent | patent | https://schema.org/CreativeWork | misc | patent
publication-peerreview | Peer review | Begutachtung | Évaluation par les pairs | Revisión por pares | Revisione paritaria | Fagfællebedømmelse | PeerReview | | review | https://schema.org/Review | misc | review
publication-preprint | Preprint | Preprint | Prépublication | Preprint | Preprint | Preprint | Preprint | | article | https://schema.org/ScholarlyArticle | misc | preprint
publication-proposal | Proposal | Antrag | Proposition | Propuesta | Proposta | Forslag | Text | Proposal | article | https://schema.org/CreativeWork | misc | researchProposal
publication-report | Report | Bericht | Rapport | Informe | Rapporto | Rapport | Report | | report | https://schema.org/Report | techreport | report
publication-softwaredocumentation | Software documentation | Softwaredokumentation | Documentation logicielle | Documentación de software | Documentazione software | Softwaredokumentation | Text | Software documentation | article | https://schema.org/CreativeWork | manual | technicalDocumentation
publication-standard | Standard | Norm | Norme | Norma | Norma | Standard | Standard | | standard | https://schema.org/CreativeWork | misc | other
publication-taxonomictreatment | Taxonomic treatment | Taxonomische Bearbeitung | Traitement taxonomique | Tratamiento taxonómico | Trattamento tassonomico | Taksonomisk behandling | Text | Taxonomic treatment | article | https://schema.org/ScholarlyArticle | misc | other
publication-technicalnote | Technical note | Technische Notiz | Note technique | Nota técnica | Nota tecnica | Teknisk notat | Text | Technical note | report | https://schema.org/Report | techreport | technicalDocumentation
publication-thesis | Thesis (other) | Abschlussarbeit (andere) | Thèse (autre) | Tesis (otra) | Tesi (altra) | Afhandling (anden) | Dissertation | | thesis | https://schema.org/Thesis | phdthesis | doctoralThesis
publication-workingpaper | Working paper | Arbeitspapier | Document de travail | Documento de trabajo | Documento di lavoro | Arbejdspapir | Text | Working paper | report | https://schema.org/ScholarlyArticle | techreport | workingPaper
publication-other | Other | Andere | Autre | Otro | Altro | Andet | Text | Other | article | https://schema.org/CreativeWork | misc | other
poster | Poster | Poster | Poster | Póster | Poster | Poster | Text | Poster | graphic | https://schema.org/PresentationDigitalDocument | misc | conferencePoster
presentation | Presentation | Präsentation | Présentation | Presentación | Presentazione | Præsentation | Text | Presentation | speech | https://schema.org/PresentationDigitalDocument | misc | lecture
event | Event | Veranstaltung | Événement | Evento | Evento | Begivenhed | Event | | event | https://schema.org/Event | misc | other
dataset | Dataset | Datensatz | Jeu de données | Conjunto de datos | Insieme di dati | Datasæt | Dataset | | dataset | https://schema.org/Dataset | dataset | other
image | Image | Bild | Image | Imagen | Immagine | Billede | Image | | graphic | https://schema.org/ImageObject | misc | other
image-figure | Figure | Abbildung | Figure | Figura | Figura | Figur | Image | Figure | figure | https://schema.org/ImageObject | misc | other
image-plot | Plot | Diagramm (Plot) | Tracé | Gráfico | Grafico | Plot | Image | Plot | graphic | https://schema.org/ImageObject | misc | other
image-drawing | Drawing | Zeichnung | Dessin | Dibujo | Disegno | Tegning | Image | Drawing | graphic | https://schema.org/Drawing | misc | other
image-diagram | Diagram | Diagramm | Diagramme | Diagrama | Diagramma | Diagram | Image | Diagram | graphic | https://schema.org/ImageObject | misc | other
image-photo | Photo | | | | | | Image | Photo | graphic | https://schema.org/Photograph | misc | other
image-other | Other | Anderes Bild | Autre image | Otra imagen | Altra immagine | Andet billede | Image | Other | graphic | https://schema.org/ImageObject | misc | other
model | Model | Modell | Modèle | Modelo | Modello | Model | Model | | document | https://schema.org/CreativeWork | misc | other
video | Video | Video | Vidéo | Vídeo | Video | Video | Audiovisual | | motion_picture | https://schema.org/MediaObject | misc | other
audio | Audio | Audio | Audio | Audio | Audio | Lyd | Sound | | song | https://schema.org/AudioObject | misc | other
software | Software | Software | Logiciel | Software | Software | Software | Software | | software | https://schema.org/SoftwareSourceCode | software | other
software-computationalnotebook | Computational notebook | Computational Notebook | Carnet de calcul | Cuaderno computacional | Notebook computazionale | Computational notebook | ComputationalNotebook | | software | https://schema.org/SoftwareSourceCode | software | other
lesson | Lesson | Lektion | Leçon | Lección | Lezione | Lektion | InteractiveResource | Lesson | document | https://schema.org/LearningResource | misc | other
other | Other | Sonstiges | Autre | Otro | Altro | Andet | Other | | document | https://schema.org/CreativeWork | misc | other
physicalobject | Physical object | Physisches Objekt | Objet physique | Objeto físico | Oggetto fisico | Fysisk objekt | PhysicalObject | | document | https://schema.org/Thing | misc | other
workflow | Workflow | Workflow | Flux de travail | Flujo de trabajo | Flusso di lavoro | Arbejdsgang | Workflow | | document | https://schema.org/HowTo | misc | other
`;

const icons: Record<string, string> = {
  publication: "file-text",
  poster: "presentation",
  presentation: "presentation",
  event: "calendar",
  dataset: "table",
  image: "image",
  model: "box",
  video: "video",
  audio: "volume-2",
  software: "code",
  lesson: "graduation-cap",
  other: "asterisk",
  physicalobject: "package",
  workflow: "workflow",
};

/** Resource types; `props.type` and `props.subtype` split the id for search and facets. */
export const resourceTypes = (): VocabularyEntry[] =>
  readEntries(table).map(({ id, title, props }) => {
    const [type = id] = id.split("-");
    const subtype: Record<string, string> = type === id ? {} : { subtype: id };
    const tags = ["depositable", "linkable"];
    return { id, title, icon: icons[type] ?? "file", props: { type, ...subtype, ...props }, tags };
  });
