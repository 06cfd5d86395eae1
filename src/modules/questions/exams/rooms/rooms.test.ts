import { inflateRawSync } from 'node:zlib';
import t from 'tap';
import { createTestApp, visit } from '../../../../../test/support/app.ts';
import { createCandidate, examPhone } from '../../../../../test/support/exam-phone.ts';
import { createAnnouncedExam, createOpenExam, minuteMs, passExam, type TestExam } from '../../../../../test/support/exams.ts';
import { createLearner } from '../../../../../test/support/factories.ts';
import { readText } from '../../../../../test/support/page-text.ts';
import { numberQuestion } from '../../../../../test/support/questions.ts';
import { unseal } from '../../../../shared/exams/sealed-paper.ts';

const home = await createTestApp(t);
const { app, kernel, clock } = home;
const advance = (minutes: number) => clock.advance(minutes * minuteMs);
const address = ({ id }: TestExam) => `/user/concours-blancs/${id}`;
const pageOf = async (exam: TestExam, { session }: { session: string }) => readText((await visit(app, address(exam), session)).body);

t.test('the page of an exam says in each state what comes next', async (t) => {
  const exam = await createAnnouncedExam(home, {
    titre: 'ENAM 2027',
    consignes: 'Sans calculatrice.\nRelisez-vous.',
    bareme: { juste: 2, faux: -0.5, sans: 0 },
  });
  const learner = await createCandidate(home, exam);
  const waiting = await pageOf(exam, learner);
  t.match(waiting, /ENAM 2027 Commence dans 1 h\..*Entrer dans la salle.*Durée 1 h, dès que vous commencez/);
  t.match(waiting, /\(3 questions\).*Juste : \+2 · Faux : −0,5 · Sans réponse : 0.*Sans calculatrice\. Relisez-vous\./);
  t.match(waiting, /Pas de caméra.*votre appareil n'est pas bloqué/);
  t.notMatch(waiting, /téléphone/i, 'candidates compose on computers, too');
  t.notMatch(waiting, /Question posée/);
  t.match(await pageOf(exam, await createLearner(home)), /réservé aux inscrits à la prépa .*Inscrivez-vous/);
  advance(60);
  t.match(await pageOf(exam, learner), /Ouvert jusqu'à .*Entrer dans la salle/);
  const device = examPhone(home, exam, learner);
  await device.answer([[0, 0]]);
  advance(15);
  t.match(await pageOf(exam, learner), /Il vous reste 45 min, jusqu'à .*Reprendre/);
  const other = await createCandidate(home, exam);
  await examPhone(home, exam, other).start();
  const { remis } = (await device.handIn()).json();
  const handedIn = await pageOf(exam, learner);
  t.match(handedIn, new RegExp(`Remise le .*Reçu : ${remis.recu}.*Relire mes réponses`));
  t.notMatch(handedIn, /Entrer dans la salle|Reprendre/);
  advance(61);
  t.match(await pageOf(exam, other), /Votre temps est écoulé depuis .*dans les 30 min qui suivent.*Ouvrir la salle/);
  advance(30);
  t.match(await pageOf(exam, other), /Votre copie est remise avec toutes les réponses que nous avons reçues/);
  await examPhone(home, exam, other).answer([[0, 0, clock.now().getTime() - 45 * minuteMs]]);
  t.match(await pageOf(exam, other), /Votre copie est arrivée après le délai, en tout ou en partie.*l'organisateur décide/);
  passExam(home, exam);
  t.match(await pageOf(exam, await createCandidate(home, exam)), /est terminé\. Vous n'y avez pas participé/);
  await kernel.fork().execute('update exam set marked_at = now(), published_at = now() where id = ?', [exam.id]);
  t.match(await pageOf(exam, learner), /Les résultats sont publiés.*Voir mon résultat.*Reçu/);
});

t.test('a paper to be written is counted beside the questions', async (t) => {
  const exam = await createAnnouncedExam(home, {
    papers: [{ contenu: numberQuestion('writtenpaper', '4') }, { kind: 'pastExam', contenu: '<p>Commentez.</p>' }],
  });
  t.match(
    await pageOf(exam, await createCandidate(home, exam)),
    /\(1 question\) · .*\(un sujet à rédiger\) En tout 1 question et un sujet à rédiger/,
  );
});

t.test('the room is the same for all candidates and has the paper from the opening on', async (t) => {
  const exam = await createAnnouncedExam(home);
  const [awa, moussa] = [await createCandidate(home, exam), await createCandidate(home, exam)];
  const room = (session?: string) => visit(app, `${address(exam)}/salle`, session);
  t.match(await room(), { statusCode: 303, headers: { location: /connexion/ } });
  t.match(await room((await createLearner(home)).session), { statusCode: 303, headers: { location: address(exam) } });
  const before = await room(awa.session);
  t.equal(before.statusCode, 200);
  t.match(before.body, `data-ouvre="${exam.opensAt.getTime()}" data-ferme="${exam.closesAt.getTime()}" data-duree="60" data-grace="30"`);
  t.notMatch(before.body, /Question posée|data-asked/);
  t.notMatch(before.body, new RegExp(awa.username), 'nothing personal');
  clock.advance(60 * minuteMs - 1);
  t.notMatch((await room(awa.session)).body, /Question posée/);
  clock.advance(1);
  const [first, second] = [await room(awa.session), await room(moussa.session)];
  t.equal(first.body, second.body);
  t.equal(first.headers.etag, second.headers.etag);
  t.match(first.body, /data-feuille inert hidden>/);
  t.match(first.body, /<noscript>[\s\S]*action="[^"]*\/debut"[\s\S]*<\/noscript>/);

  const call = (path: string) => app.inject({ url: `/api/concours-blancs/${exam.id}/${path}`, headers: { cookie: awa.session } });
  const key = new Uint8Array(Buffer.from((await call('cle')).json().cle, 'base64'));
  const sealed = await unseal(new Uint8Array((await call('scelle')).rawPayload), key);
  t.ok(first.body.includes(inflateRawSync(sealed).toString()), 'the sealed paper is the same HTML');
  const repeated = await app.inject({
    url: `${address(exam)}/salle`,
    headers: { accept: 'text/html', cookie: moussa.session, 'if-none-match': String(first.headers.etag) },
  });
  t.equal(repeated.statusCode, 304);
});

t.test('a changed exam has a changed room', async (t) => {
  const exam = await createOpenExam(home);
  const { session } = await createCandidate(home, exam);
  const room = () => visit(app, `${address(exam)}/salle`, session);
  await room();
  await kernel.fork().execute(`update exam set titre = 'Autre titre', revision = revision + 1 where id = ?`, [exam.id]);
  t.match((await room()).body, /Autre titre/);
});
