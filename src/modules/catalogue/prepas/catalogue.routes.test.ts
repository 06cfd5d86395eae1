import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { createDiscipline, createPrepa } from '../../../../test/support/factories.ts';

const home = await createTestApp(t);
const { app } = home;
const read = async (url: string) => {
  const answer = await call(app, { url });
  return { status: answer.statusCode, body: answer.json() };
};

t.test('without prepas the lists are empty', async (t) => {
  t.same(await read('/api/prepas/published'), { status: 200, body: [] });
  t.same(await read('/api/disciplines'), { status: 200, body: [] });
});

t.test('published prepas are listed in the order of creation, without unpublished ones', async (t) => {
  const first = await createPrepa(home, { nom: 'ENS', prix: 15_000, description: 'Sciences.', image: 'covers/abc' });
  const hidden = await createPrepa(home, { nom: 'Brouillon', isPublished: false });
  const second = await createPrepa(home, { nom: 'ENAM', prix: 500 });
  const [disciplines, secret] = [
    [await createDiscipline(home, second.id), await createDiscipline(home, first.id), await createDiscipline(home, first.id)] as const,
    await createDiscipline(home, hidden.id),
  ];
  const shown = [
    {
      id: first.id,
      nom: 'ENS',
      description: 'Sciences.',
      prix: 15_000,
      image_url: '/media/covers/abc-960.webp',
      is_published: true,
      auteur: null,
    },
    { id: second.id, nom: 'ENAM', description: 'Pour les concours.', prix: 500, image_url: null, is_published: true, auteur: null },
  ];
  const discipline = ({ id, nom, prepaId }: { id: number; nom: string; prepaId: number }) => ({
    id,
    nom,
    description: 'Une discipline.',
    image_url: null,
    prepa_concours_id: prepaId,
  });
  // The addresses with and without /api return the same.
  for (const prefix of ['/api', '']) {
    t.same(await read(`${prefix}/prepas/published`), { status: 200, body: shown });
    t.same(await read(`${prefix}/prepas/${first.id}`), { status: 200, body: shown[0] });
    const inOrder = [disciplines[1], disciplines[2], disciplines[0]];
    t.same(
      await read(`${prefix}/disciplines`),
      { status: 200, body: inOrder.map(discipline) },
      'disciplines are listed in the order of their prepas',
    );
    t.same(await read(`${prefix}/disciplines-user/prepa/${first.id}`), { status: 200, body: inOrder.slice(0, 2).map(discipline) });
    t.same(await read(`${prefix}/disciplines/${disciplines[0].id}`), { status: 200, body: discipline(disciplines[0]) });

    const gone = "Cette préparation n'existe pas ou n'est plus disponible.";
    for (const url of [`/prepas/${hidden.id}`, `/disciplines-user/prepa/${hidden.id}`, `/disciplines/${secret.id}`, '/prepas/2000000000']) {
      t.same(await read(prefix + url), { status: 404, body: { message: gone } }, url);
    }
    t.same(await read(`${prefix}/disciplines/2000000000`), {
      status: 404,
      body: { message: "Cette discipline n'existe pas ou n'est plus disponible." },
    });
  }
});

t.test('an id is a number from 1 to 2,147,483,647', async (t) => {
  for (const id of ['0', '-1', '1.5', 'abc', '2147483648', '1e99']) {
    const { status, body } = await read(`/api/prepas/${id}`);
    t.equal(status, 400, id);
    t.match(body, { errors: [{ field: 'id', message: 'Identifiant invalide' }] });
  }
});
