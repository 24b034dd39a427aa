"""Ada, Grace and Eve with a token each, and strangers with several. Runs inside `invenio shell`; writes JSON to $PEOPLE_OUT."""
import json, os
from datetime import datetime, timezone
from flask_security.utils import hash_password
from invenio_accounts.proxies import current_datastore as store
from invenio_db import db
from invenio_oauth2server.models import Token

# Each test takes people of its own, because lists show everything that a person has.
NAMES = ["ada", "grace", "eve", *(f"person{n}" for n in range(150))]
hashed = hash_password("correct horse battery")
now = datetime.now(timezone.utc).replace(tzinfo=None)
users = {}
for name in NAMES:
    user = store.create_user(email=f"{name}@example.org", username=name, password=hashed, active=True, confirmed_at=now)
    user.user_profile = {"full_name": name.title(), "affiliations": ""}
    user.preferences = {**(user.preferences or {}), "visibility": "public", "email_visibility": "restricted"}
    users[name] = user
store.commit()
people = []
for name, user in users.items():
    tokens = [Token.create_personal("tests", user.id, scopes=["user:email"], is_internal=False) for _ in range(3)]
    db.session.flush()
    people.append({
        "id": str(user.id), "username": name, "email": user.email,
        "tokens": [{"id": token.id, "token": token.access_token} for token in tokens],
    })
db.session.commit()
with open(os.environ["PEOPLE_OUT"], "w") as out:
    json.dump(people, out)
