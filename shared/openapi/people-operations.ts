import { newInvitation } from "../accounts/accounts.schema.ts";
import { auditSearchRules } from "../audit/audit.schema.ts";
import { collectionChange, newCollection } from "../collections/collection.schema.ts";
import { groupChange, newGroup } from "../groups/group.schema.ts";
import { groupSearchRules } from "../groups/group-search.ts";
import { factorChange, factorConsent, factorProof } from "../second-factor/second-factor.schema.ts";
import { passwordChange, passwordForm } from "../sign-in/sign-in.schema.ts";
import { newToken } from "../tokens/token.schema.ts";
import { profileBody } from "../users/profile.schema.ts";
import { groupsBody } from "../users/user.schema.ts";
import { userSearchRules } from "../users/user-search.ts";
import type { VocabularyType } from "../vocabularies/vocabulary.schema.ts";
import { vocabularySearchRules } from "../vocabularies/vocabulary.service.ts";
import { administrationOperations } from "./administration-operations.ts";
import { customFieldList } from "./answers/custom-field.schema.ts";
import { lookupOffer, lookupResult } from "./answers/lookup.schema.ts";
import {
  auditEntry,
  auditList,
  changedGroups,
  collection,
  collectionList,
  group,
  groupList,
  identityList,
  invitation,
  invitationList,
  message,
  newFactor,
  newSecret,
  recoveryCodes,
  secondFactor,
  self,
  sessionList,
  signedIn,
  storageUsage,
  token,
  tokenList,
  user,
  userGroups,
  userList,
} from "./answers/people.schema.ts";
import { genericVocabulary, namedVocabularies } from "./answers/vocabulary.schema.ts";
import type { Row } from "./operation.ts";

const svg = { media: ["image/svg+xml"], isTagged: true };
const aGroup = { answer: group, isTagged: true };
const aCollection = { answer: collection, isTagged: true };
const membership = { answer: changedGroups, body: groupsBody };
const vocabularySearch = { search: vocabularySearchRules("resourcetypes") };

/** People, groups, signing in, vocabularies. */
export const peopleOperations: Record<string, Row[]> = {
  People: [
    ["GET /users", "Search people", 200, { answer: userList, search: userSearchRules }],
    ["GET /users/{id}", "One person", 200, { answer: user, isTagged: true }],
    ["GET /users/{id}/avatar.svg", "Their picture", 200, svg],
    ["GET /users/{id}/groups", "Their groups", 200, { answer: userGroups }],
    ["POST /users/{id}/groups", "Add a person to groups", 200, membership],
    ["PUT /users/{id}/groups", "Replace the groups of a person", 200, membership],
    ["DELETE /users/{id}/groups", "Remove a person from groups", 200, membership],
    ["GET /groups", "Search groups", 200, { answer: groupList, search: groupSearchRules }],
    ["POST /groups", "Create a group", 201, { ...aGroup, body: newGroup }],
    ["GET /groups/{id}", "One group", 200, aGroup],
    ["PUT /groups/{id}", "Change its description", 200, { ...aGroup, isGuarded: true, body: groupChange }],
    ["DELETE /groups/{id}", "Delete it", 204, { isGuarded: true }],
    ["GET /groups/{id}/avatar.svg", "Its picture", 200, svg],
  ],
  Collections: [
    ["GET /collections", "All collections", 200, { answer: collectionList }],
    [
      "POST /collections",
      "Create one, kept by a group; administrators only",
      201,
      { ...aCollection, body: newCollection },
    ],
    ["GET /collections/{slug}", "One collection", 200, aCollection],
    [
      "PUT /collections/{slug}",
      "Change title, query and text; administrators also the group",
      200,
      { ...aCollection, body: collectionChange },
    ],
    ["DELETE /collections/{slug}", "Delete it; its records stay", 204],
  ],
  Invitations: [
    ["GET /invitations", "Open invitations; administrators only", 200, { answer: invitationList }],
    ["POST /invitations", "Invite the owner of an e-mail address", 201, { answer: invitation, body: newInvitation }],
    ["DELETE /invitations/{id}", "Withdraw one", 204],
    ["POST /invitations/{id}/actions/resend", "Send one again, with a new link", 200, { answer: invitation }],
  ],
  ...administrationOperations,
  "Sign-in": [
    ["POST /login", "Open a session with a password", 200, { answer: signedIn, body: passwordForm }],
    ["POST /logout", "End it", 200, { answer: message }],
    ["GET /me", "Who the caller is", 200, { answer: self, isTagged: true }],
    ["PUT /me", "Change the caller's profile", 200, { answer: self, isTagged: true, body: profileBody }],
    [
      "PUT /me/picture",
      "Make a JPEG, PNG, GIF or TIFF the caller's picture",
      204,
      { consumes: "application/octet-stream" },
    ],
    ["DELETE /me/picture", "Remove the caller's picture", 204],
    ["POST /change-password", "Change the password", 200, { answer: message, body: passwordChange }],
    ["GET /tokens", "The caller's tokens", 200, { answer: tokenList }],
    ["POST /tokens", "Create a token", 201, { answer: newSecret, body: newToken }],
    ["GET /tokens/{id}", "One token", 200, { answer: token }],
    ["DELETE /tokens/{id}", "Revoke it", 204],
    ["DELETE /tokens/current", "Revoke the token of this call", 204],
    ["GET /user/sessions", "The caller's sessions in browsers", 200, { answer: sessionList }],
    ["DELETE /user/sessions/{id}", "End one", 204],
    ["GET /user/identities", "The caller's accounts at identity providers", 200, { answer: identityList }],
    ["DELETE /user/identities/{id}", "Remove one, unless it is the last way to sign in", 204],
    ["GET /user/second-factor", "The caller's second factor", 200, { answer: secondFactor }],
    ["POST /user/second-factor", "Make a secret for one-time codes", 201, { answer: newFactor, body: factorConsent }],
    [
      "POST /user/second-factor/actions/confirm",
      "Prove by a code that a device has the secret",
      200,
      { answer: recoveryCodes, body: factorProof },
    ],
    [
      "POST /user/second-factor/actions/renew-codes",
      "Replace the recovery codes",
      200,
      { answer: recoveryCodes, body: factorChange },
    ],
    ["POST /user/second-factor/actions/remove", "Remove the second factor", 204, { body: factorChange }],
    ["GET /user/storage", "Bytes that the caller stores, and their quota", 200, { answer: storageUsage }],
  ],
  "Audit log": [
    ["GET /audit-logs", "Search the log; administrators only", 200, { answer: auditList, search: auditSearchRules }],
    ["GET /audit-logs/{id}", "One entry; administrators only", 200, { answer: auditEntry }],
  ],
  "Look-up": [
    ["GET /lookup", "Kinds of identifiers that can be looked up", 200, { answer: lookupOffer }],
    ["GET /lookup/{kind}", "What a service knows of one; `id` in the query", 200, { answer: lookupResult }],
  ],
  Vocabularies: [
    ["GET /custom-fields", "The declared custom fields", 200, { answer: customFieldList }],
    ["GET /vocabularies/{type}", "Search a vocabulary", 200, { answer: genericVocabulary.list, ...vocabularySearch }],
    ["GET /vocabularies/{type}/{id}", "One entry", 200, { answer: genericVocabulary.one, isTagged: true }],
    ...namedVocabularies.flatMap(([type, { one, list }]): Row[] => [
      [`GET /${type}`, `Search ${type}`, 200, { answer: list, search: vocabularySearchRules(type as VocabularyType) }],
      [`GET /${type}/{id}`, "One entry", 200, { answer: one, isTagged: true }],
    ]),
  ],
};
