"""Ada, Grace and Eve with a token each. Runs inside `invenio shell`; writes JSON to $PEOPLE_OUT."""
import json, os
from datetime import datetime, timezone
from flask_security.utils import hash_password
from invenio_accounts.proxies import current_datastore as store
from invenio_db import db
from invenio_oauth2server.models import Token

people = {}
for name in ("ada", "grace", "eve"):
    email = f"{name}@example.org"
    user = store.get_user(email)
    if not user:
        now = datetime.now(timezone.utc).replace(tzinfo=None)
        user = store.create_user(
            email=email, username=name, password=hash_password("correct horse battery"), active=True, confirmed_at=now
        )
        user.user_profile = {"full_name": name.title(), "affiliations": ""}
        user.preferences = {**(user.preferences or {}), "visibility": "public", "email_visibility": "restricted"}
        store.commit()
    token = Token.create_personal("tests", user.id, scopes=["user:email"], is_internal=False)
    db.session.commit()
    people[name] = {"id": str(user.id), "email": email, "token": token.access_token}
with open(os.environ["PEOPLE_OUT"], "w") as out:
    json.dump(people, out)
