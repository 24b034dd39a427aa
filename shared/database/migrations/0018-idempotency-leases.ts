/**
 * A claim on an `Idempotency-Key` ends by the clock. Digests kept so far were made without a secret and may be of passwords:
 * they are dropped, so that a repeat of such a call is refused instead of carried out twice.
 */
export const idempotencyLeases = `
ALTER TABLE idempotency RENAME COLUMN process TO claim;
ALTER TABLE idempotency ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0;
UPDATE idempotency SET digest = '';
`;
