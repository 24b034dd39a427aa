import express, { type Express, type RequestHandler, type Router } from "express";
import type { Logger } from "pino";
import { accessService } from "./access/access.service.ts";
import { createAccountServices } from "./accounts/account-services.ts";
import { invitationRoutes } from "./accounts/invitation.routes.ts";
import { personService } from "./administration/person.service.ts";
import { removedRecordService } from "./administration/removed-record.service.ts";
import type { ServerDesk } from "./administration/server-desk.ts";
import { auditDenied, auditRoutes } from "./audit/audit.routes.ts";
import { auditService } from "./audit/audit.service.ts";
import { storageQuotaRoutes } from "./blobs/storage-quota.routes.ts";
import { storageQuotaService } from "./blobs/storage-quota.service.ts";
import type { UploadLock } from "./blobs/upload-lock.ts";
import { collectionRoutes } from "./collections/collection.routes.ts";
import { collectionService } from "./collections/collection.service.ts";
import { draftContainerRoutes } from "./containers/container.routes.ts";
import type { DraftHistory } from "./drafts/draft-history.ts";
import { blobRoutes } from "./files/blob.routes.ts";
import { draftFileRoutes } from "./files/draft-file.routes.ts";
import { recordFileRoutes } from "./files/record-file.routes.ts";
import { removedFileRoutes } from "./files/removed-file.routes.ts";
import { groupRoutes } from "./groups/group.routes.ts";
import { groupService } from "./groups/group.service.ts";
import type { HostFacts } from "./host/host.presenter.ts";
import { hostRoutes } from "./host/host.routes.ts";
import { idempotency } from "./idempotency/idempotency.service.ts";
import { identityRoutes } from "./identities/identity.routes.ts";
import { iiifRoutes } from "./iiif/iiif.routes.ts";
import { iiifService } from "./iiif/iiif.service.ts";
import { imageRoutes } from "./iiif/image.routes.ts";
import { imageService } from "./iiif/image.service.ts";
import { BodyBudget } from "./kernel/body-budget.ts";
import type { BodyForm, FormOf } from "./kernel/body-form.ts";
import { type AnswerErrorPage, errorHandler, unknownRoute } from "./kernel/error-handler.ts";
import { everyAnswer, healthRoutes } from "./kernel/every-answer.ts";
import type { CommandHandler, Host } from "./kernel/host.ts";
import { type Authenticate, newRouter, type RouteEnvironment, type Serve } from "./kernel/resource.ts";
import type { RouteStep } from "./kernel/route-facts.ts";
import { lookupRoutes } from "./lookup/lookup.routes.ts";
import { lookupService } from "./lookup/lookup.service.ts";
import { customFieldRoutes } from "./metadata/custom-fields.routes.ts";
import { openApiRoutes } from "./openapi/openapi.routes.ts";
import type { Pictures } from "./pictures/pictures.ts";
import { recordExpander } from "./records/expand.ts";
import { movedChanges, movedRecords } from "./records/record.routes.ts";
import { asRecord } from "./representations/answer-record.ts";
import { recordSearchHandlers, recordSearchRoutes } from "./search/record-search.routes.ts";
import { recordSearchService } from "./search/record-search.service.ts";
import type { SearchIndex } from "./search/search-index.ts";
import { secondFactorRoutes } from "./second-factor/second-factor.routes.ts";
import { secondFactorService } from "./second-factor/second-factor.service.ts";
import { isUsualForm, siteLanguages } from "./settings/settings.schema.ts";
import { deviceService } from "./sign-in/device.service.ts";
import { sessionService } from "./sign-in/session.service.ts";
import { signInRoutes } from "./sign-in/sign-in.routes.ts";
import { signInService } from "./sign-in/sign-in.service.ts";
import { protocolHeader } from "./sync-protocol/protocol-version.ts";
import { tokenRoutes } from "./tokens/token.routes.ts";
import { tokenService } from "./tokens/token.service.ts";
import { membershipService } from "./users/membership.service.ts";
import { ownPictureRoutes } from "./users/own-picture.routes.ts";
import { profileService } from "./users/profile.service.ts";
import { userRoutes } from "./users/user.routes.ts";
import { userService } from "./users/user.service.ts";
import { userPictureService } from "./users/user-picture.service.ts";
import { vocabularyRoutes } from "./vocabularies/vocabulary.routes.ts";
import { vocabularyService } from "./vocabularies/vocabulary.service.ts";
import { administrationRoutes } from "./wiring/administration-routes.ts";
import { createFileServices } from "./wiring/file-services.ts";
import { recordRouters } from "./wiring/record-routers.ts";
import { createRecordServices } from "./wiring/record-services.ts";
import { reviewRouters } from "./wiring/review-routers.ts";
import { createReviewServices } from "./wiring/review-services.ts";

/** What depends on how a host runs: as one process with SQLite, or as several with other engines. */
export interface Ports {
  searchIndex: SearchIndex;
  uploadLock: UploadLock;
  pictures: Pictures;
  draftHistory(host: Host): DraftHistory;
}

/** All services of one host, by feature. */
export function createServices(host: Host, { searchIndex, uploadLock, pictures, draftHistory }: Ports) {
  const access = accessService(host);
  const groups = groupService(host);
  const users = userService(host, async (db, name) => (await groups.find(db, name)) !== undefined);
  const memberships = membershipService(host, groups);
  const audit = auditService({ host, users });
  const tokens = tokenService(host);
  const sessions = sessionService(host);
  const devices = deviceService(host);
  const secondFactors = secondFactorService({ host, users, sessions, tokens, devices });
  const signIn = signInService({ host, users, tokens, sessions, devices, secondFactors });
  const vocabularies = vocabularyService(host);
  const records = createRecordServices({
    host,
    access,
    users,
    loadEntries: vocabularies.lookups,
    history: draftHistory(host),
  });
  const quota = storageQuotaService(host);
  const reviews = createReviewServices({
    ...{ host, access, users, groups, quota, ...records },
    findBytes: (db, caller, sha256) => files.blobAccess.findIn(db, caller, sha256),
  });
  const others = [reviews.attachments.mayReadBytes];
  const files = createFileServices({ host, access, quota, uploadLock, ...records, others });
  const recordSearch = recordSearchService(host, searchIndex);
  const images = { host, access, records: records.records, pictures };
  const iiif = iiifService(images);
  const profiles = profileService(host);
  const userPictures = userPictureService(host, pictures);
  const accounts = {
    groups,
    users,
    profiles,
    userPictures,
    memberships,
    tokens,
    sessions,
    devices,
    signIn,
    secondFactors,
  };
  const identifierLookup = lookupService(host);
  const administration = {
    people: personService({ host, users, quota, secondFactors }),
    removedRecords: removedRecordService(host),
  };
  return {
    ...records,
    ...files,
    ...reviews,
    ...accounts,
    ...administration,
    collections: collectionService({ host, groups }),
    audit,
    quota,
    ...{ iiif, images: imageService(images), pictures },
    identifierLookup,
    recordSearch,
    access,
    vocabularies,
  };
}
export type Services = ReturnType<typeof createServices>;

/** What executes each command, for pushed operations and for replay: every service brings its own. */
export function commandHandlers(services: Services): Map<string, CommandHandler> {
  const handlers = Object.values(services).flatMap((service): CommandHandler[] =>
    "commands" in service ? service.commands : [],
  );
  return new Map(handlers.map((handler) => [handler.name, handler]));
}

export interface ApiOptions {
  host: Host;
  services: Services;
  authenticate: Authenticate;
  log: Logger;
  version: string;
  /** Of the data folder: what is stored of repeated calls cannot be guessed without it. */
  secret: Uint8Array;
  /** What administrators see of the process; only a server has it. */
  desk?: ServerDesk;
  /** Whether the database and the blob folder can be written. */
  isHealthy(): Promise<boolean>;
  /** Handlers of the host, before (its guard) and after the common routes (its own routes, pages, the app). */
  before?: RequestHandler[];
  /** What the host does with a call once its route is known. */
  steps?: RouteStep[];
  /** Runs each call, so that the host can wait for its end. */
  serve?: Serve;
  routers?: Router[];
  /** Answers errors with pages, where the host has them. */
  onError?: AnswerErrorPage;
}

/** The operator's form of JSON bodies. Replicas pass answers on to their app, which reads the usual form. */
function formOf({ settings, baseUrl }: Host): FormOf {
  if (isUsualForm(settings)) return () => undefined;
  const form: BodyForm = {
    baseUrl: settings.links.files === "absolute" ? baseUrl : undefined,
    hasIsoTimes: settings.timestamps === "iso",
  };
  return (req) => (req.headers[protocolHeader] === undefined ? form : undefined);
}

const hostFacts = ({ role, baseUrl, settings }: Host, version: string): HostFacts => ({
  ...{ role, version, name: settings.site.name, baseUrl },
  sendsMail: settings.smtp !== undefined,
  providers: settings.sign_in.providers.map(({ id, label, kind }) => ({ id, label, kind })),
  languages: siteLanguages(settings),
});

/** The `/api` of a host: the one place that wires the features. */
export function createApi(options: ApiOptions): Express {
  const { host, log } = options;
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("strict routing", false);
  app.set("case sensitive routing", true);
  app.set("query parser", "simple");
  app.set("trust proxy", host.settings.trust_proxy ?? false);
  const environment: RouteEnvironment = {
    authenticate: options.authenticate,
    runOnce: idempotency(host, options.secret).runOnce,
    bodies: new BodyBudget(),
    onDenied: auditDenied(host),
    ...{ steps: options.steps ?? [], serve: options.serve },
  };
  app.locals.routes = environment;
  app.locals.formOf = formOf(host);
  app.locals.hasPages = options.onError !== undefined;
  app.use(everyAnswer(host));
  for (const handler of options.before ?? []) app.use(handler);
  app.use(healthRoutes({ role: host.role, version: options.version, isHealthy: options.isHealthy }));
  const api = newRouter();
  const accounts = createAccountServices(host, options.services, options.secret);
  const parts = {
    host,
    ...accounts,
    ...options.services,
    desk: options.desk,
    expander: recordExpander({ host, ...options.services }),
  };
  api.use(hostRoutes(() => hostFacts(host, options.version)));
  api.use(movedChanges(parts));
  api.use(recordRouters({ ...parts, listRecords: asRecord(recordSearchHandlers(parts).records) }));
  for (const routes of [
    userRoutes,
    groupRoutes,
    collectionRoutes,
    signInRoutes,
    tokenRoutes,
    invitationRoutes,
    identityRoutes,
    secondFactorRoutes,
    storageQuotaRoutes,
    administrationRoutes,
    auditRoutes,
    vocabularyRoutes,
    customFieldRoutes,
    iiifRoutes,
    openApiRoutes,
  ])
    api.use(routes(parts));
  api.use(imageRoutes(parts), recordSearchRoutes(parts), lookupRoutes(parts), ownPictureRoutes(parts));
  for (const routes of [draftFileRoutes, removedFileRoutes, recordFileRoutes, draftContainerRoutes, blobRoutes])
    api.use(routes(parts));
  for (const router of reviewRouters(parts)) api.use(router);
  api.use(movedRecords(parts));
  app.use("/api", api);
  for (const router of options.routers ?? []) app.use(router);
  app.use(unknownRoute);
  app.use(errorHandler(log, options.onError));
  return app;
}
