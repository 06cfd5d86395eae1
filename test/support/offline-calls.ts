import { createPublicKey, randomUUID, verify } from 'node:crypto';
import type { ContactAnswer, EndOfCopy, SignedEnd, TextsAnswer } from '../../src/shared/offline/offline-copy.ts';
import { call, type TestApp } from './app.ts';
import { createDiscipline, createEnrolment, createItem, createLearner, createPrepa } from './factories.ts';

const chrome = 'Mozilla/5.0 (Linux; Android 14) Chrome/149.0';

/** Returns the requests of a device that keeps a prepa, and a factory of a prepa to keep. */
export function offlineCalls(home: TestApp) {
  const { app } = home;

  async function course() {
    const prepa = await createPrepa(home, { nom: 'ENS' });
    const [maths, physics] = [await createDiscipline(home, prepa.id), await createDiscipline(home, prepa.id)];
    const lesson = await createItem(home, maths.id, { contenu: '<p>Une leçon : le texte.</p>' });
    const exercise = await createItem(home, maths.id, { kind: 'exercise', contenu: '<p>Calculer.</p>', corrige: '<p>42</p>', duree: 30 });
    const subject = await createItem(home, physics.id, { kind: 'pastExam', corrige: '<p>Oui.</p>' });
    const learner = await createLearner(home);
    await createEnrolment(home, learner, prepa, 10);
    return { prepa, maths, physics, lesson, exercise, subject, learner, base: `/api/hors-ligne/prepas/${prepa.id}` };
  }

  const keep = async (
    { base, session }: { base: string; session: string },
    appareil: string = randomUUID(),
    disciplines: number[] | null = null,
    nom?: string,
  ) => {
    const answer = await call(app, {
      method: 'POST',
      url: `${base}/garder`,
      session,
      payload: { appareil, disciplines, ...(nom && { nom }) },
      headers: { 'user-agent': chrome },
    });
    return { appareil, status: answer.statusCode, json: answer.json() };
  };

  async function contact(
    appareil: string,
    prepas: { id: number; disciplines?: number[] | null }[],
    session?: string,
  ): Promise<ContactAnswer> {
    const answer = await call(app, {
      method: 'POST',
      url: '/api/hors-ligne/contact',
      ...(session && { session }),
      payload: { appareil, prepas },
    });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json();
  }

  const stateOf = async (appareil: string, prepa: { id: number }, session?: string) => {
    const { prepas } = await contact(appareil, [{ id: prepa.id, disciplines: null }], session);
    const [{ state, reason } = { state: '?', reason: '?' }] = prepas;
    return reason === null ? state : `${state}: ${reason}`;
  };

  const textsOf = async (base: string, session: string, some = ''): Promise<TextsAnswer> =>
    (await call(app, { url: `${base}/textes${some}`, session })).json();

  function read({ said, signature }: EndOfCopy, jwk: object): SignedEnd {
    const key = createPublicKey({ key: jwk as never, format: 'jwk' });
    const isOurs = verify('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    if (!isOurs) throw new Error('not signed by the site');
    return JSON.parse(said);
  }

  return { course, keep, contact, stateOf, textsOf, read };
}
