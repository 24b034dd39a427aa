import type { Call } from "../kernel/call.ts";
import { system } from "../kernel/caller.ts";
import { notFound } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { type ProfileChange, updateProfile, verifyOrcid } from "./profile.schema.ts";
import { findUser, updateUser } from "./user.repository.ts";

export interface ProfileService {
  /** Changes the caller's own profile. @throws Failure 403, 404. */
  update(call: Call, change: ProfileChange): Promise<void>;
  /** Puts a verified ORCID iD into the profile, or notes that it is not verified any more. */
  verifyOrcid(userId: string, orcid: string | null): Promise<void>;
}

/** What users say of themselves (app, Missing 11). */
export function profileService(host: Host): ProfileService {
  return {
    update: (call, change) =>
      host.write(call, updateProfile, change, async (tx, { now }) => {
        const user = await findUser(tx, call.userId ?? "");
        if (!user) throw notFound();
        const { orcid, language, ...columns } = change;
        const preferences = JSON.parse(user.preferences) as Record<string, unknown>;
        // With the preferences: a column of its own would be unknown to older replicas.
        if (orcid === null) delete preferences.orcid;
        else if (orcid !== undefined) preferences.orcid = orcid;
        if (language === null) delete preferences.language;
        else if (language !== undefined) preferences.language = language;
        const set = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
        const revision = { updated: now, revision_id: user.revision_id + 1 };
        await updateUser(tx, user.id, { ...set, preferences: JSON.stringify(preferences), ...revision });
        const object = { kind: "user" as const, id: user.id };
        return { result: undefined, object, touched: [object], title: "Change the profile" };
      }),
    async verifyOrcid(userId, orcid) {
      const known = await findUser(host.db, userId);
      if (!known || (JSON.parse(known.preferences).orcid_verified ?? null) === orcid) return;
      await host.write(system, verifyOrcid, { userId, orcid }, async (tx, { now }) => {
        const user = await findUser(tx, userId);
        if (!user) throw notFound();
        const { orcid_verified: _before, ...preferences } = JSON.parse(user.preferences) as Record<string, unknown>;
        const verified = orcid === null ? {} : { orcid, orcid_verified: orcid };
        const revision = { updated: now, revision_id: user.revision_id + 1 };
        await updateUser(tx, userId, { preferences: JSON.stringify({ ...preferences, ...verified }), ...revision });
        const object = { kind: "user" as const, id: userId };
        return { result: undefined, object, touched: [object], title: "Verify the ORCID iD" };
      });
    },
  };
}
