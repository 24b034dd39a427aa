/**
 * A claim on an `Idempotency-Key` expires. Older digests were made without a secret and may be of passwords, so they are
 * deleted. A repeat of such a call is refused instead of executed twice.
 */
export const idempotencyLeases = `
ALTER TABLE idempotency RENAME COLUMN process TO claim;
ALTER TABLE idempotency ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0;
UPDATE idempotency SET digest = '';
`;
