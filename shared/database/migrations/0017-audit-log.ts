/**
 * Server: the audit log. Triggers refuse updates, replacements and the removal of rows newer than
 * `audit_retention.before`, which only the retention job changes.
 */
export const auditLog = `
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT, via TEXT NOT NULL, credential TEXT, address TEXT,
  action TEXT NOT NULL, object_type TEXT, object_id TEXT, outcome TEXT NOT NULL CHECK (outcome IN ('done', 'refused')),
  status INTEGER, details TEXT NOT NULL) STRICT;
CREATE TABLE audit_retention (id INTEGER PRIMARY KEY CHECK (id = 1), before INTEGER NOT NULL) STRICT;
INSERT INTO audit_retention VALUES (1, 0);
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_no_replacement BEFORE INSERT ON audit_log WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_log_no_removal BEFORE DELETE ON audit_log
WHEN OLD.at >= coalesce((SELECT before FROM audit_retention), 0)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
`;
