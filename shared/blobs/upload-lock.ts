/** The lock of a call on an upload. */
export interface UploadLease {
  /** Aborted when a newer call waits for the upload. */
  superseded: AbortSignal;
  /** Whether the lock was seized from a silent process, which may still write. */
  isSeized: boolean;
}

/**
 * Lets one call at a time write to an upload. A newer call supersedes the older one: it aborts the older signal and
 * starts when the older call has ended.
 */
export interface UploadLock {
  hold<R>(key: string, work: (lease: UploadLease) => Promise<R>): Promise<R>;
}

interface Holder {
  superseded: AbortController;
  done: Promise<void>;
}

/** Locks uploads among the calls of this process. */
export function localUploadLock(): UploadLock {
  const last = new Map<string, Holder>();
  return {
    async hold(key, work) {
      const older = last.get(key);
      const { promise: done, resolve } = Promise.withResolvers<void>();
      const holder = { superseded: new AbortController(), done };
      last.set(key, holder);
      try {
        older?.superseded.abort();
        await older?.done;
        return await work({ superseded: holder.superseded.signal, isSeized: false });
      } finally {
        if (last.get(key) === holder) last.delete(key);
        resolve();
      }
    },
  };
}
