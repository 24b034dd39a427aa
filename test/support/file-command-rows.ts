import { createHash, randomUUID } from "node:crypto";
import type { CommandRow, Scene } from "./command-scene.ts";
import { addFile, fileOf, filesOf, must } from "./files.ts";
import { publishable } from "./reviews.ts";

const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest("hex");
const withFiles = { ...publishable(), files: { enabled: true } };

interface Parts {
  /** Users who may edit. */
  edit: readonly string[];
  sharedDraft(scene: Scene, body: object): Promise<string>;
}

/** The rows of commands about files of drafts. */
export function fileCommandRows({ edit, sharedDraft }: Parts): Record<string, CommandRow> {
  /** An entry `a.txt` with uploaded bytes, not committed. */
  async function sharedEntry(scene: Scene): Promise<{ draftId: string; entryId: string; key: string }> {
    const draftId = await sharedDraft(scene, withFiles);
    must(await scene.owner.post(filesOf(draftId), [{ key: "a.txt" }]), 201);
    must(await scene.owner.putBytes(`${fileOf(draftId, "a.txt")}/content`, "bytes"), 200);
    const entries = scene.api.server.host.db.selectFrom("file_entry").select("id").where("owner_id", "=", draftId);
    return { draftId, entryId: (await entries.executeTakeFirstOrThrow()).id, key: "a.txt" };
  }

  async function sharedVersion(scene: Scene): Promise<string> {
    const id = await sharedDraft(scene, withFiles);
    await addFile(scene.owner, id, "a.txt", "bytes");
    must(await scene.owner.post(`/api/records/${id}/draft/actions/publish`), 202);
    return must(await scene.owner.post(`/api/records/${id}/versions`), 201).body.id;
  }

  return {
    "file.init": {
      allowed: edit,
      payload: async (scene) => {
        const file = { id: randomUUID(), key: "b.txt", metadata: null, hidden: false, announced: null };
        return { draftId: await sharedDraft(scene, withFiles), bucketId: randomUUID(), files: [file] };
      },
    },
    "file.commit": {
      allowed: edit,
      payload: async (scene) => {
        const facts = { sha256: hash("sha256", "bytes"), md5: hash("md5", "bytes"), size: 5 };
        return { ...(await sharedEntry(scene)), ...facts, fileId: randomUUID(), versionId: randomUUID() };
      },
    },
    "file.delete": { allowed: edit, payload: sharedEntry },
    "file.delete-all": {
      allowed: edit,
      payload: async (scene) => {
        const { draftId, entryId } = await sharedEntry(scene);
        return { draftId, entryIds: [entryId] };
      },
    },
    "file.restore": {
      allowed: edit,
      payload: async (scene) => {
        const { draftId, entryId, key } = await sharedEntry(scene);
        must(await scene.owner.post(`${fileOf(draftId, key)}/commit`), 200);
        must(await scene.owner.delete(fileOf(draftId, key)), 204);
        const digests = { sha256: hash("sha256", "bytes"), md5: hash("md5", "bytes"), size: 5 };
        const ids = { file_id: randomUUID(), version_id: randomUUID(), bucket_id: randomUUID() };
        const entry = { id: entryId, key, ...digests, ...ids, metadata: null, hidden: false, position: 0 };
        return { draftId, entry, wasPreview: false, orderIndex: null };
      },
    },
    "file.metadata": {
      allowed: edit,
      payload: async (scene) => ({ ...(await sharedEntry(scene)), metadata: { a: 1 } }),
    },
    "files.rename": {
      allowed: edit,
      payload: async (scene) => {
        const { draftId, ...file } = await sharedEntry(scene);
        return { draftId, files: [{ ...file, newKey: "data/b.txt" }] };
      },
    },
    "files.import": {
      allowed: edit,
      payload: async (scene) => ({ draftId: await sharedVersion(scene), bucketId: randomUUID() }),
    },
  };
}
