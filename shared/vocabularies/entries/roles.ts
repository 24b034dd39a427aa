import type { VocabularyEntry } from "../vocabulary.schema.ts";
import { readEntries } from "./entry-table.ts";

const table = `
id | en | de | fr | es | it | da | datacite
contactperson | Contact person | Kontaktperson | Personne de contact | Persona de contacto | Referente | Kontaktperson | ContactPerson
datacollector | Data collector | Datenerheber:in | Collecteur de données | Recolector de datos | Raccoglitore di dati | Dataindsamler | DataCollector
datacurator | Data curator | Datenkurator:in | Curateur de données | Curador de datos | Curatore dei dati | Datakurator | DataCurator
datamanager | Data manager | Datenmanager:in | Gestionnaire de données | Gestor de datos | Gestore dei dati | Dataansvarlig | DataManager
distributor | Distributor | Vertrieb | Distributeur | Distribuidor | Distributore | Distributør | Distributor
editor | Editor | Herausgeber:in | Éditeur scientifique | Editor | Curatore | Redaktør | Editor
hostinginstitution | Hosting institution | Bereitstellende Institution | Institution hôte | Institución anfitriona | Istituzione ospitante | Værtsinstitution | HostingInstitution
producer | Producer | Produzent:in | Producteur | Productor | Produttore | Producent | Producer
projectleader | Project leader | Projektleiter:in | Chef de projet | Líder de proyecto | Responsabile di progetto | Projektleder | ProjectLeader
projectmanager | Project manager | Projektmanager:in | Gestionnaire de projet | Gestor de proyecto | Project manager | Projektstyrer | ProjectManager
projectmember | Project member | Projektmitglied | Membre du projet | Miembro del proyecto | Membro del progetto | Projektmedlem | ProjectMember
registrationagency | Registration agency | Registrierungsagentur | Agence d'enregistrement | Agencia de registro | Agenzia di registrazione | Registreringsagentur | RegistrationAgency
registrationauthority | Registration authority | Registrierungsstelle | Autorité d'enregistrement | Autoridad de registro | Autorità di registrazione | Registreringsmyndighed | RegistrationAuthority
relatedperson | Related person | Zugehörige Person | Personne liée | Persona relacionada | Persona correlata | Relateret person | RelatedPerson
researcher | Researcher | Forscher:in | Chercheur | Investigador | Ricercatore | Forsker | Researcher
researchgroup | Research group | Forschungsgruppe | Groupe de recherche | Grupo de investigación | Gruppo di ricerca | Forskningsgruppe | ResearchGroup
rightsholder | Rights holder | Rechteinhaber:in | Titulaire des droits | Titular de los derechos | Titolare dei diritti | Rettighedshaver | RightsHolder
sponsor | Sponsor | Sponsor | Commanditaire | Patrocinador | Sponsor | Sponsor | Sponsor
supervisor | Supervisor | Betreuer:in | Superviseur | Supervisor | Supervisore | Vejleder | Supervisor
workpackageleader | Work package leader | Leitung des Arbeitspakets | Responsable de lot de travail | Líder de paquete de trabajo | Responsabile del pacchetto di lavoro | Leder af arbejdspakke | WorkPackageLeader
other | Other | Andere | Autre | Otro | Altro | Anden | Other
`;

/** Roles of creators and contributors; `props.datacite` is DataCite's contributorType. */
export const roles = (): VocabularyEntry[] => readEntries(table);
