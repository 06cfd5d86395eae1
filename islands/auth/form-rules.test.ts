import t from 'tap';
import { faultsOf, readAnswer } from './form-rules.ts';

const domains = ['gmail.com', 'yahoo.fr'];
const registration = { username: 'awa_237', email: 'awa@gmail.com', password: 'Soleil-2026', confirmPassword: 'Soleil-2026' };

t.test("all faults of a form are returned at once, with the specification's messages", async (t) => {
  t.same(faultsOf('inscription', { username: '', email: '', password: '', confirmPassword: '' }, domains), {
    username: "Le nom d'utilisateur est requis",
    email: "L'email est requis",
    password: 'Le mot de passe est requis',
    confirmPassword: 'La confirmation du mot de passe est requise',
  });
  t.same(faultsOf('inscription', { username: 'a b', email: 'awa@example.org', password: 'soleil', confirmPassword: 'autre' }, domains), {
    username: "Le nom d'utilisateur ne peut contenir que des lettres, des chiffres et des underscores",
    email: "Domaine d'email non autorisé",
    password: 'Le mot de passe doit contenir au moins 8 caractères',
    confirmPassword: 'Les mots de passe doivent correspondre',
  });
  t.same(faultsOf('inscription', registration, domains), {});
  t.same(faultsOf('connexion', { email: 'awa', password: '' }, domains), {
    email: 'Email invalide',
    password: 'Le mot de passe est requis',
  });
  t.same(
    faultsOf('connexion', { email: '', password: '' }, domains),
    { email: "L'email est requis", password: 'Le mot de passe est requis' },
    'a sign-in needs an e-mail address and a password',
  );
  t.same(faultsOf('connexion', { email: 'awa@example.org', password: 'x' }, domains), {}, 'a sign-in accepts any domain');
});

t.test("the server's response is shown under the fields, in the form or as a toast", async (t) => {
  const answer = (status: number, body: object) => ({ status, ok: status < 400, body });
  t.same(readAnswer('connexion', answer(200, {})), { kind: 'accepted' });
  t.match(readAnswer('inscription', answer(409, { message: 'x', errors: [{ field: 'email', message: 'Cet email est déjà utilisé' }] })), {
    errors: { email: 'Cet email est déjà utilisé' },
    notice: null,
  });
  t.match(readAnswer('connexion', answer(429, { message: 'Trop de tentatives. Réessayez dans 15 min.' })), {
    errors: {},
    notice: { kind: 'error', message: 'Trop de tentatives. Réessayez dans 15 min.' },
    toast: 'Trop de tentatives. Réessayez dans 15 min.',
  });
  t.match(readAnswer('connexion', answer(500, {})), { toast: 'Erreur lors de la connexion', notice: { message: /conservé/ } });
  t.match(readAnswer('connexion', null), { toast: 'Erreur lors de la connexion', notice: { message: /réseau.*conservé/ } });
  t.match(readAnswer('inscription', null), {
    toast: null,
    notice: { message: "Erreur lors de l'inscription", detail: /réseau.*conservé/ },
  });
  t.match(
    readAnswer(
      'connexion',
      answer(400, { message: 'Certaines informations sont à corriger.', errors: [{ field: 'autre', message: 'x' }] }),
    ),
    { errors: {}, notice: { message: 'Certaines informations sont à corriger.' } },
    'a fault of an unknown field is shown in the notice',
  );
});
