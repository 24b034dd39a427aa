/**
 * Server: deletes notifications about deleted requests, which older versions kept, and updates the feed. Replicas get
 * the deletion through the feed.
 */
export const staleNotifications = `
UPDATE setting SET value = cast(cast(value AS INTEGER) + 1 AS TEXT) WHERE name = 'feed_head';
UPDATE feed SET state = 'deleted', seq = (SELECT cast(value AS INTEGER) FROM setting WHERE name = 'feed_head')
  WHERE kind = 'notification' AND state = 'live'
  AND object_id IN (SELECT id FROM notification WHERE request_id NOT IN (SELECT id FROM request));
DELETE FROM notification WHERE request_id NOT IN (SELECT id FROM request)
  AND id IN (SELECT object_id FROM feed WHERE kind = 'notification');
`;
