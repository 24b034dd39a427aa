import type { VocabularyEntry } from "../vocabulary.schema.ts";
import { readEntries } from "./entry-table.ts";

// DataCite has no relation "other": representations leave it out.
const table = `
id | en | de | fr | es | it | da | datacite
iscitedby | Is cited by | Wird zitiert von | Est cité par | Es citado por | È citato da | Er citeret af | IsCitedBy
cites | Cites | Zitiert | Cite | Cita | Cita | Citerer | Cites
issupplementto | Is supplement to | Ist Ergänzung zu | Est un supplément à | Es suplemento de | È supplemento a | Er supplement til | IsSupplementTo
issupplementedby | Is supplemented by | Wird ergänzt durch | Est complété par | Es complementado por | È integrato da | Er suppleret af | IsSupplementedBy
iscontinuedby | Is continued by | Wird fortgesetzt durch | Est continué par | Es continuado por | È continuato da | Er fortsat af | IsContinuedBy
continues | Continues | Setzt fort | Continue | Continúa | Continua | Fortsætter | Continues
isdescribedby | Is described by | Wird beschrieben von | Est décrit par | Es descrito por | È descritto da | Er beskrevet af | IsDescribedBy
describes | Describes | Beschreibt | Décrit | Describe | Descrive | Beskriver | Describes
hasmetadata | Has metadata | Hat Metadaten | A pour métadonnées | Tiene metadatos | Ha metadati | Har metadata | HasMetadata
ismetadatafor | Is metadata for | Sind Metadaten zu | Est une métadonnée de | Es metadato de | È metadato di | Er metadata for | IsMetadataFor
hasversion | Has version | Hat Version | A pour version | Tiene versión | Ha versione | Har version | HasVersion
isversionof | Is version of | Ist Version von | Est une version de | Es versión de | È versione di | Er version af | IsVersionOf
isnewversionof | Is new version of | Ist neue Version von | Est une nouvelle version de | Es nueva versión de | È nuova versione di | Er ny version af | IsNewVersionOf
ispreviousversionof | Is previous version of | Ist frühere Version von | Est la version précédente de | Es versión anterior de | È versione precedente di | Er tidligere version af | IsPreviousVersionOf
ispartof | Is part of | Ist Teil von | Fait partie de | Es parte de | È parte di | Er del af | IsPartOf
haspart | Has part | Hat Teil | Contient | Tiene parte | Ha parte | Har del | HasPart
ispublishedin | Is published in | Ist erschienen in | Est publié dans | Está publicado en | È pubblicato in | Er udgivet i | IsPublishedIn
isreferencedby | Is referenced by | Wird referenziert von | Est référencé par | Es referenciado por | È referenziato da | Er refereret af | IsReferencedBy
references | References | Referenziert | Référence | Hace referencia a | Fa riferimento a | Refererer | References
isdocumentedby | Is documented by | Wird dokumentiert von | Est documenté par | Es documentado por | È documentato da | Er dokumenteret af | IsDocumentedBy
documents | Documents | Dokumentiert | Documente | Documenta | Documenta | Dokumenterer | Documents
iscompiledby | Is compiled by | Wird zusammengestellt von | Est compilé par | Es compilado por | È compilato da | Er kompileret af | IsCompiledBy
compiles | Compiles | Stellt zusammen | Compile | Compila | Compila | Kompilerer | Compiles
isvariantformof | Is variant form of | Ist andere Form von | Est une variante de | Es forma variante de | È variante di | Er en anden form af | IsVariantFormOf
isoriginalformof | Is original form of | Ist Originalform von | Est la forme originale de | Es forma original de | È forma originale di | Er originalform af | IsOriginalFormOf
isidenticalto | Is identical to | Ist identisch mit | Est identique à | Es idéntico a | È identico a | Er identisk med | IsIdenticalTo
isreviewedby | Is reviewed by | Wird begutachtet von | Est évalué par | Es revisado por | È recensito da | Er bedømt af | IsReviewedBy
reviews | Reviews | Begutachtet | Évalue | Revisa | Recensisce | Bedømmer | Reviews
isderivedfrom | Is derived from | Ist abgeleitet von | Est dérivé de | Se deriva de | È derivato da | Er afledt af | IsDerivedFrom
issourceof | Is source of | Ist Quelle von | Est la source de | Es fuente de | È fonte di | Er kilde til | IsSourceOf
isrequiredby | Is required by | Wird benötigt von | Est requis par | Es requerido por | È richiesto da | Kræves af | IsRequiredBy
requires | Requires | Benötigt | Requiert | Requiere | Richiede | Kræver | Requires
isobsoletedby | Is obsoleted by | Wird abgelöst durch | Est rendu obsolète par | Es reemplazado por | È reso obsoleto da | Er afløst af | IsObsoletedBy
obsoletes | Obsoletes | Löst ab | Rend obsolète | Reemplaza a | Rende obsoleto | Afløser | Obsoletes
iscollectedby | Is collected by | Wird gesammelt von | Est collecté par | Es recopilado por | È raccolto da | Er indsamlet af | IsCollectedBy
collects | Collects | Sammelt | Collecte | Recopila | Raccoglie | Indsamler | Collects
other | Other | Andere | Autre | Otra | Altro | Anden |
`;

/** Relations of a record to other works; `props.datacite` is DataCite's relationType. */
export const relationTypes = (): VocabularyEntry[] => readEntries(table);
