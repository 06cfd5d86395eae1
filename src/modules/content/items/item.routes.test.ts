import t from 'tap';
import { call, createTestApp } from '../../../../test/support/app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from '../../../../test/support/factories.ts';

const home = await createTestApp(t);
const { app, clock } = home;

/** Creates a discipline with two items of each kind. Each text names its item. */
async function openDiscipline(isPublished = true) {
  const prepa = await createPrepa(home, { isPublished });
  const discipline = await createDiscipline(home, prepa.id);
  const item = (kind: 'course' | 'exercise' | 'pastExam', numeroPage: number) =>
    createItem(home, discipline.id, {
      kind,
      numeroPage,
      contenu: `<p>texte ${kind} ${numeroPage}</p>`,
      corrige: kind === 'course' ? null : `<p>corrigé ${kind} ${numeroPage}</p>`,
    });
  const lessons = [await item('course', 1), await item('course', 2)] as const;
  const exercises = [await item('exercise', 1), await item('exercise', 2)] as const;
  const subjects = [await item('pastExam', 1), await item('pastExam', 2)] as const;
  const learner = await createLearner(home);
  await createEnrolment(home, learner, prepa, 1);
  return { prepa, discipline, lessons, exercises, subjects, learner };
}

async function read(url: string, session?: string) {
  const answer = await call(app, { url, ...(session ? { session } : {}) });
  return { status: answer.statusCode, body: answer.json() };
}

t.test('lists for enrolled learners: all items, each kind in its own shape, in order', async (t) => {
  const { discipline, lessons, exercises, subjects, learner } = await openDiscipline();
  const discipline_id = discipline.id;
  for (const prefix of ['/api', '']) {
    t.same(await read(`${prefix}/lecons/discipline/${discipline_id}`, learner.session), {
      status: 200,
      body: lessons.map(({ id, titre }, index) => ({
        id,
        titre,
        numero_page: index + 1,
        discipline_id,
        contenu: `<p>texte course ${index + 1}</p>`,
      })),
    });
    t.same(await read(`${prefix}/exercices/discipline/${discipline_id}`, learner.session), {
      status: 200,
      body: exercises.map(({ id, titre }, index) => ({
        id,
        titre,
        numero_page: index + 1,
        discipline_id,
        duree: null,
        enonce: `<p>texte exercise ${index + 1}</p>`,
        corrige: `<p>corrigé exercise ${index + 1}</p>`,
      })),
    });
    t.same(await read(`${prefix}/anciens-sujets/discipline/${discipline_id}`, learner.session), {
      status: 200,
      body: subjects.map(({ id, titre }, index) => ({
        id,
        titre,
        numero_page: index + 1,
        discipline_id,
        annee: 2023,
        duree: null,
        contenu: `<p>texte pastExam ${index + 1}</p>`,
        corrige: `<p>corrigé pastExam ${index + 1}</p>`,
      })),
    });
  }
});

t.test('lists for readers without access: the first item of each kind is open, the others are locked without content', async (t) => {
  const { discipline, lessons, exercises, subjects } = await openDiscipline();
  const stranger = await createLearner(home);
  for (const session of [undefined, stranger.session, 'userToken=fini']) {
    const [courses, problems, papers] = await Promise.all(
      ['lecons', 'exercices', 'anciens-sujets'].map((path) => read(`/api/${path}/discipline/${discipline.id}`, session)),
    );
    const locked = (item: { id: number; titre: string }, rest = {}) => ({
      id: item.id,
      titre: item.titre,
      numero_page: 2,
      discipline_id: discipline.id,
      ...rest,
      locked: true,
    });
    t.match(courses?.body[0], { id: lessons[0].id, contenu: '<p>texte course 1</p>' });
    t.equal(courses?.body[0].locked, undefined);
    t.same(courses?.body[1], locked(lessons[1]));
    t.match(problems?.body[0], { id: exercises[0].id, enonce: '<p>texte exercise 1</p>', corrige: '<p>corrigé exercise 1</p>' });
    t.same(problems?.body[1], locked(exercises[1]));
    t.match(papers?.body[0], { id: subjects[0].id, annee: 2023 });
    t.same(papers?.body[1], locked(subjects[1], { annee: 2023 }));
  }
});

t.test('single items: enrolled learners read all of them, others only the first', async (t) => {
  const { lessons, exercises, subjects, learner, discipline } = await openDiscipline();
  const stranger = await createLearner(home);
  for (const [path, items] of [
    ['lecons', lessons],
    ['exercices', exercises],
    ['anciens-sujets', subjects],
  ] as const) {
    for (const prefix of ['/api', '']) {
      for (const [index, { id, titre }] of items.entries()) {
        const own = await read(`${prefix}/${path}/${id}`, learner.session);
        t.match(own, { status: 200, body: { id, titre, numero_page: index + 1, discipline_id: discipline.id } });
      }
      t.equal((await read(`${prefix}/${path}/${items[0].id}`)).status, 200, 'the first item needs no account');
      for (const session of [undefined, stranger.session]) {
        t.same(await read(`${prefix}/${path}/${items[1].id}`, session), {
          status: 403,
          body: { message: 'Ce contenu est réservé aux candidats inscrits à cette préparation.' },
        });
      }
    }
  }
  t.equal((await read(`/api/anciens-sujets/${subjects[0].id}`)).body.annee, 2023);
});

t.test('a request with an ended session gets 401, and a request after the end of access gets 403', async (t) => {
  const { lessons, learner } = await openDiscipline();
  const [first, second] = lessons;
  t.same(await read(`/api/lecons/${second.id}`, 'userToken=fini'), {
    status: 401,
    body: { message: 'Session expirée. Veuillez vous reconnecter.', expired: true },
  });
  t.equal((await read(`/api/lecons/${first.id}`, 'userToken=fini')).status, 200, 'the first item can be read with an ended session');
  clock.advance(24 * 3_600_000);
  t.equal((await read(`/api/lecons/${second.id}`, learner.session)).status, 403);
});

t.test('an item is found only under its own kind', async (t) => {
  const { lessons, exercises, learner } = await openDiscipline();
  t.same(await read(`/api/lecons/${exercises[0].id}`, learner.session), {
    status: 404,
    body: { message: "Cette leçon n'existe pas ou n'existe plus." },
  });
  t.match(await read(`/api/exercices/${lessons[0].id}`), { status: 404, body: { message: "Cet exercice n'existe pas ou n'existe plus." } });
  t.match(await read('/api/anciens-sujets/2000000000'), {
    status: 404,
    body: { message: "Cet ancien sujet n'existe pas ou n'existe plus." },
  });
});

t.test('only enrolled learners see items of an unpublished prepa', async (t) => {
  const { lessons, discipline, learner } = await openDiscipline(false);
  const stranger = await createLearner(home);
  for (const path of [`/api/lecons/discipline/${discipline.id}`, `/api/lecons/${lessons[0].id}`, `/api/lecons/${lessons[1].id}`]) {
    t.equal((await read(path)).status, 404, `${path}, visitor`);
    t.equal((await read(path, stranger.session)).status, 404, `${path}, learner`);
    t.equal((await read(path, learner.session)).status, 200, `${path}, enrolled`);
  }
});

t.test('an unknown discipline is a 404, an empty one an empty list', async (t) => {
  t.same(await read('/api/lecons/discipline/2000000000'), {
    status: 404,
    body: { message: "Cette discipline n'existe pas ou n'est plus disponible." },
  });
  const empty = await createDiscipline(home);
  t.same(await read(`/api/exercices/discipline/${empty.id}`), { status: 200, body: [] });
});

t.test('a learner enrolled in another prepa sees no more than a visitor', async (t) => {
  const [mine, theirs] = [await openDiscipline(), await openDiscipline()];
  t.equal((await read(`/api/lecons/${theirs.lessons[1].id}`, mine.learner.session)).status, 403);
});

t.test('texts for enrolled learners are not stored by shared caches', async (t) => {
  const { lessons, learner } = await openDiscipline();
  const answer = await call(app, { url: `/api/lecons/${lessons[1].id}`, session: learner.session });
  t.equal(answer.headers['cache-control'], 'private, no-cache');
});
