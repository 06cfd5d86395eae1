import t from 'tap';
import { isSignedOut, noticeOf } from './refusal.ts';

const failure = 'Erreur lors de la mise à jour de la préparation';
const kept = 'Ce que vous avez saisi est conservé.';
const answer = (status: number, body: { message?: string } = {}) => ({ status, ok: false, body });

t.test('a notice names the failure, the kept input and the next step', async (t) => {
  t.same(noticeOf(null, failure, kept), {
    kind: 'error',
    message: failure,
    detail: 'Le serveur ne répond pas. Ce que vous avez saisi est conservé. Vérifiez votre connexion, puis réessayez.',
  });
  t.same(noticeOf(answer(502), failure, kept), { kind: 'error', message: failure, detail: `Le service ne répond pas. ${kept}` });
  t.match(noticeOf(answer(500, { message: 'Une erreur est survenue.' }), failure, kept), { detail: `Une erreur est survenue. ${kept}` });
  t.same(noticeOf(answer(401, { message: 'Session expirée.' }), failure, kept), {
    kind: 'error',
    message: 'Session expirée.',
    detail: kept,
  });
  t.same(noticeOf(answer(403, { message: 'Interdit.' }), failure, kept), { kind: 'error', message: 'Interdit.' });
  t.match(noticeOf(answer(418), failure, kept), { message: failure }, 'a response without a message shows the name of the failure');
});

t.test('only a 401 means that the session has ended', async (t) => {
  t.same([answer(401), answer(403), answer(500), null].map(isSignedOut), [true, false, false, false]);
});
