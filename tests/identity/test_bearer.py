"""A token's text, and whose it is."""

from setright.identity import authenticate, bootstrap, present


def test_the_first_token_belongs_to_the_admin_of_the_new_tenant(ledger):
    made = ledger.write(lambda tx: bootstrap(tx, f"first-{tx.new_id('ten')}"))
    found = ledger.read(lambda at: authenticate(at, present(made.issued.secret)))
    assert found.actor.id == made.user.id
    assert found.actor.tenant_id == made.tenant.id
    assert found.actor.is_person
    assert "admin" in found.actor.scopes
    assert found.valid_until is None
