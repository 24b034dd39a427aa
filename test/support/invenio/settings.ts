/** Ports and addresses of the services that one InvenioRDM uses. */
export interface Services {
  /** Address of an empty database. */
  database: string;
  redisPort: number;
  searchPort: number;
  port: number;
}

/** `invenio.cfg`, which is Python: the public interface as it is shipped, without mail and DataCite, with wide limits. */
export function invenioSettings({ database, redisPort, searchPort, port }: Services): string {
  const redis = `redis://127.0.0.1:${redisPort}`;
  return `SQLALCHEMY_DATABASE_URI = ${JSON.stringify(database.replace(/^postgres(ql)?:/, "postgresql+psycopg2:"))}
SQLALCHEMY_ENGINE_OPTIONS = {"pool_size": 5, "pool_pre_ping": True}
SEARCH_HOSTS = [{"host": "127.0.0.1", "port": ${searchPort}}]
SEARCH_CLIENT_CONFIG = {"timeout": 300}
SEARCH_INDEX_PREFIX = "inv-"
CACHE_TYPE = "flask_caching.backends.RedisCache"
CACHE_REDIS_URL = IIIF_CACHE_REDIS_URL = "${redis}/0"
ACCOUNTS_SESSION_REDIS_URL = "${redis}/1"
CELERY_RESULT_BACKEND = "${redis}/2"
RATELIMIT_STORAGE_URI = "${redis}/3"
CELERY_BROKER_URL = BROKER_URL = COMMUNITIES_IDENTITIES_CACHE_REDIS_URL = "${redis}/4"
RATELIMIT_ENABLED = True
RATELIMIT_GUEST_USER = RATELIMIT_AUTHENTICATED_USER = "100000 per minute"
SECRET_KEY = "for tests on the loopback only"
TRUSTED_HOSTS = ["127.0.0.1", "localhost", "127.0.0.1:${port}"]
SITE_HOSTNAME = "127.0.0.1:${port}"
SITE_UI_URL = "http://127.0.0.1:${port}"
SITE_API_URL = "http://127.0.0.1:${port}/api"
SESSION_COOKIE_SECURE = False
APP_DEFAULT_SECURE_HEADERS = {
    "content_security_policy": {"default-src": ["'self'"]}, "content_security_policy_report_only": False,
    "content_security_policy_report_uri": None, "force_file_save": False, "force_https": False,
    "force_https_permanent": False, "frame_options": "sameorigin", "frame_options_allow_from": None,
    "session_cookie_http_only": True, "session_cookie_secure": False, "strict_transport_security": False,
    "strict_transport_security_include_subdomains": False, "strict_transport_security_max_age": 0,
    "strict_transport_security_preload": False,
}
DATACITE_ENABLED = False
MAIL_SUPPRESS_SEND = True
I18N_LANGUAGES = []
FILES_REST_DEFAULT_QUOTA_SIZE = FILES_REST_DEFAULT_MAX_FILE_SIZE = 50 * 10**9
RDM_FILES_DEFAULT_QUOTA_SIZE = RDM_FILES_DEFAULT_MAX_FILE_SIZE = 50 * 10**9
SECURITY_CONFIRMABLE = True
APP_LOGS_HOME = ""
`;
}

/** Files of vocabularies whose shipped thousands of entries take a worker many minutes. */
export const vocabularyFiles = {
  "vocabularies.yaml": `names: {pid-type: names, data-file: vocabularies/names.yaml}
languages: {pid-type: lng, data-file: vocabularies/languages.yaml}
`,
  "vocabularies/names.yaml": `- id: 0000-0002-1825-0097
  given_name: Josiah
  family_name: Carberry
  identifiers: [{identifier: 0000-0002-1825-0097, scheme: orcid}]
  affiliations: [{name: Brown University}]
`,
  "vocabularies/languages.yaml": `- {id: eng, title: {en: English}, props: {alpha_2: en}, tags: [individual, living]}
- {id: deu, title: {en: German}, props: {alpha_2: de}, tags: [individual, living]}
- {id: fra, title: {en: French}, props: {alpha_2: fr}, tags: [individual, living]}
`,
};
