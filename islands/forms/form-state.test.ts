import t from 'tap';
import { initialForm, reduceForm } from './form-state.ts';

t.test('a field is checked while typing only after a first submission', async (t) => {
  const fresh = initialForm({}, null);
  t.equal(reduceForm(fresh, { type: 'edited', field: 'email', faults: { email: 'Email invalide' } }), fresh);

  const errors = { email: 'Email invalide', password: 'Le mot de passe est requis' };
  const refused = reduceForm(fresh, { type: 'refused', errors, notice: null });
  const mended = reduceForm(refused, { type: 'edited', field: 'email', faults: { password: 'Le mot de passe est requis' } });
  t.same(mended.errors, { password: 'Le mot de passe est requis' });
  const spoilt = reduceForm(mended, { type: 'edited', field: 'email', faults: { ...errors, username: 'x' } });
  t.same(spoilt.errors, errors, 'only the changed field is checked');
  t.ok(initialForm(errors, null).submitted, "the server's refusal counts as a submission");
});

t.test('the confirmation is checked again with the password', async (t) => {
  const mismatch = { confirmPassword: 'Les mots de passe doivent correspondre' };
  const refused = reduceForm(initialForm({}, null), { type: 'refused', errors: mismatch, notice: null });
  t.same(reduceForm(refused, { type: 'edited', field: 'password', faults: {} }).errors, {});
  t.same(reduceForm(refused, { type: 'edited', field: 'password', faults: mismatch }).errors, mismatch);
});

t.test('sending clears the messages', async (t) => {
  const refused = initialForm({ email: 'Email invalide' }, 'Email ou mot de passe incorrect');
  t.same(reduceForm(refused, { type: 'sent' }), { busy: true, errors: {}, submitted: true, notice: null });
});
