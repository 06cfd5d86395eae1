import t from 'tap';
import { faultsOf, readAnswer } from './form-rules.ts';

const answer = (status: number, body: object) => ({ status, ok: status < 400, body });
const said = (message: string) => ({ kind: 'refused', errors: {}, notice: { kind: 'error', message }, toast: message });

t.test("a success without the specification's fields is an unexpected error", async (t) => {
  t.same(readAnswer('connexion', answer(200, { token: 'x' })), { kind: 'accepted' });
  t.same(readAnswer('inscription', answer(201, { adminId: '1' })), { kind: 'accepted' });
  t.match(readAnswer('connexion', answer(200, { adminId: '1' })), said('Erreur inattendue lors de la connexion.'));
  t.match(readAnswer('inscription', answer(200, { token: 'x' })), said("Erreur inattendue lors de l'inscription."));
});

t.test('a correct password with a second factor leads to the code page', async (t) => {
  const errors = [{ field: 'code', message: 'Le code est requis' }];
  const asked = answer(401, { message: "Un code de votre application d'authentification est demandé.", errors, secondFactor: true });
  t.same(readAnswer('connexion', asked), { kind: 'accepted', to: '/admin/connexion/code' });
});

t.test('a refusal is shown under the fields, or in the form and as a toast', async (t) => {
  for (const view of ['connexion', 'inscription'] as const) {
    const fields = answer(409, { message: 'Ce compte existe déjà.', errors: [{ field: 'email', message: 'Cet email est déjà utilisé' }] });
    t.same(readAnswer(view, fields), { kind: 'refused', errors: { email: 'Cet email est déjà utilisé' }, notice: null, toast: null });
    t.match(
      readAnswer(view, answer(429, { message: 'Trop de tentatives. Réessayez dans 15 min.' })),
      said('Trop de tentatives. Réessayez dans 15 min.'),
    );
    const unknown = answer(400, { message: 'Certaines informations sont à corriger.', errors: [{ field: 'autre', message: 'x' }] });
    t.match(
      readAnswer(view, unknown),
      said('Certaines informations sont à corriger.'),
      'a fault of an unknown field is shown in the notice',
    );
  }
});

t.test('a missing message, response or network has its own error', async (t) => {
  t.match(readAnswer('inscription', answer(502, {})), said("Une erreur est survenue lors de l'inscription."));
  t.match(readAnswer('connexion', answer(502, {})), said('Erreur de connexion au serveur.'));
  t.match(readAnswer('inscription', null), said('Aucune réponse reçue du serveur.'));
  t.match(readAnswer('connexion', null), said('Erreur de connexion au serveur.'));
  t.match(readAnswer('inscription', null, false), said('Erreur de connexion au serveur.'));
});

t.test('the form is checked with the rules of the server', async (t) => {
  t.same(faultsOf('connexion', { email: 'd', password: '' }), { email: "Format d'email invalide", password: 'Le mot de passe est requis' });
  t.match(faultsOf('inscription', { adminKey1: '', adminKey2: '1234567', role: 'root' }), {
    adminKey1: "La clé d'administration 1 est requise",
    adminKey2: "La clé d'administration 2 doit contenir au moins 8 caractères",
    role: 'Rôle invalide',
  });
});
