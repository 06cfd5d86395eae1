import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { call, createTestApp, openCommands, submit, visit } from '../../../../test/support/app.ts';
import { createEnrolment, createLearner, createPrepa, type TestLearner } from '../../../../test/support/factories.ts';
import { offlineCalls } from '../../../../test/support/offline-calls.ts';
import { sql } from '../../../../test/support/sql.ts';
import { prune } from '../../../platform/pruning/pruning.ts';
import { dayMs } from '../../../shared/dates.ts';

// Which devices keep a prepa, and until when. Tests the API calls and compares the tables' rows.

const home = await createTestApp(t);
const { app, clock, databaseUrl } = home;
const { course, keep, contact, stateOf, textsOf, read } = offlineCalls(home);
const query = <Row = Record<string, unknown>>(text: string, values?: unknown[]) => sql<Row>(databaseUrl, text, values);

t.test('a kept copy has a signed end date, which each contact renews', async (t) => {
  const { prepa, learner, base } = await course();
  const { appareil, json } = await keep({ base, session: learner.session });
  const end = clock.now().getTime() + 10 * dayMs;
  const said = read(json.end, json.publicKey);
  t.same(said, { learner: json.learner, device: json.device, prepa: prepa.id, end: end - 1, signedAt: clock.now().getTime() });
  t.notMatch(json.learner, learner.id);
  t.throws(() => read({ ...json.end, said: json.end.said.replace(String(end - 1), String(end + dayMs)) }, json.publicKey));
  t.same(Object.keys(json.publicKey).sort(), ['crv', 'kty', 'x', 'y'], 'no part of the private key');

  await query(`update enrolment set date_expiration = date_expiration + interval '30 days' where user_id = $1`, [learner.id]);
  const answer = await contact(appareil, [{ id: prepa.id }], learner.session);
  const [kept] = answer.prepas;
  t.match(answer, { now: clock.now().getTime(), learner: json.learner });
  t.match(kept, { state: 'keep', reason: null, tag: (await textsOf(base, learner.session)).tag });
  t.equal(kept?.end && read(kept.end, json.publicKey).end, end - 1 + 30 * dayMs);
  t.same(await query('select secret from offline_device where secret = $1', [appareil]), [], 'only the hash of the secret is stored');
  const other = await createLearner(home);
  await createEnrolment(home, other, prepa);
  t.not((await keep({ base, session: other.session })).json.learner, json.learner);
});

t.test('when ten devices keep a prepa at once, three succeed, and the refusal names these three', async (t) => {
  const { learner, base, maths } = await course();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => keep({ base, session: learner.session }, randomUUID(), null, `Appareil ${index}`)),
  );
  const kept = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 409);
  t.same([kept.length, refused.length], [3, 7]);
  const rows = await query<{ nom: string }>(
    'select nom from offline_copy join offline_device on id = device_id where user_id = $1 order by nom',
    [learner.id],
  );
  t.equal(rows.length, 3);
  for (const { nom } of rows) t.match(refused[0]?.json.message, nom);
  t.match(refused[0]?.json.message, /^Cette préparation est déjà gardée sur 3 appareils : .* et Appareil \d \(depuis le /);
  const [one] = kept;
  if (!one) return;
  t.equal((await keep({ base, session: learner.session }, one.appareil, [maths.id])).status, 200, 'one of the devices changes its choice');
  t.same(await query('select disciplines from offline_copy where device_id = $1', [one.json.device]), [{ disciplines: [maths.id] }]);
  const removal = { method: 'POST' as const, url: `${base}/retirer`, payload: { appareil: one.appareil } };
  t.equal((await call(app, removal)).statusCode, 204, 'the secret is enough, without a session');
  t.equal((await call(app, removal)).statusCode, 204);
  t.equal((await keep({ base, session: learner.session }, refused[0]?.appareil)).status, 200);
  t.equal((await keep({ base, session: learner.session }, 'pas un uuid')).status, 400);
  t.equal((await keep({ base, session: learner.session }, randomUUID(), [2_000_000_000])).status, 404);
});

async function keeping(t: Test) {
  const made = await course();
  const { appareil, json } = await keep({ base: made.base, session: made.learner.session });
  t.equal(await stateOf(appareil, made.prepa, made.learner.session), 'keep');
  return { ...made, appareil, device: json.device as number };
}

/** Another session of the same learner, on another device. */
async function anotherSession({ id }: TestLearner): Promise<string> {
  const token = randomUUID();
  await query(
    `insert into session (id, user_id, expires_at, created_at) values (encode(sha256(convert_to($1, 'UTF8')), 'hex'), $2, $3, $4)`,
    [token, id, new Date(clock.now().getTime() + 30 * dayMs), clock.now()],
  );
  return `userToken=${token}`;
}

t.test('contact: reasons to remove a copy, with and without a session', async (t) => {
  const one = await keeping(t);
  t.equal(await stateOf(one.appareil, one.prepa), 'sign-in', 'without a session, until its end');
  t.equal(await stateOf(randomUUID(), one.prepa, one.learner.session), 'remove: device-removed', 'an unknown device');
  t.equal(await stateOf(one.appareil, { id: 2_000_000_000 }, one.learner.session), 'remove: prepa-gone');
  t.equal(
    await stateOf(one.appareil, await createPrepa(home), one.learner.session),
    'remove: device-removed',
    'a prepa that the device does not keep',
  );
  t.equal(await stateOf(one.appareil, one.prepa, (await createLearner(home)).session), 'remove: other-account');
  await query('update enrolment set date_expiration = $2 where user_id = $1', [one.learner.id, clock.now()]);
  t.equal(await stateOf(one.appareil, one.prepa, one.learner.session), 'remove: ended');
  t.equal(await stateOf(one.appareil, one.prepa), 'remove: ended');
  await query(`update enrolment set date_expiration = date_expiration + interval '1 day', statut = 'cancelled' where user_id = $1`, [
    one.learner.id,
  ]);
  t.equal(await stateOf(one.appareil, one.prepa, one.learner.session), 'remove: ended', 'a cancelled enrolment');

  const two = await keeping(t);
  await query('delete from discipline where id = $1', [two.maths.id]);
  const chosen = await contact(two.appareil, [{ id: two.prepa.id, disciplines: [two.maths.id] }], two.learner.session);
  t.match(chosen.prepas, [{ state: 'remove', reason: 'prepa-gone', end: null, tag: null }]);
  t.equal(await stateOf(two.appareil, two.prepa, two.learner.session), 'keep', 'the other disciplines exist');
  await query('update enrolment set prepa_id = null where prepa_id = $1', [two.prepa.id]);
  await query('delete from prepa where id = $1', [two.prepa.id]);
  t.equal(await stateOf(two.appareil, two.prepa, two.learner.session), 'remove: prepa-gone');
  t.equal(await stateOf(two.appareil, two.prepa), 'remove: prepa-gone');
});

t.test('contact: how the session ended decides whether the device removes its copy', async (t) => {
  const elsewhere = await keeping(t);
  const other = await anotherSession(elsewhere.learner);
  t.equal((await call(app, { method: 'DELETE', url: '/api/users/sessions', session: other })).statusCode, 200);
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa, elsewhere.learner.session), 'remove: session-ended');
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa), 'remove: session-ended');
  // The session's row is deleted a week later; the device's row still has the reason.
  await query('delete from session where user_id = $1 and ended is not null', [elsewhere.learner.id]);
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa), 'remove: session-ended');
  t.equal(
    (await keep(elsewhere.learner && { base: elsewhere.base, session: other })).status,
    200,
    'another device may keep the prepa instead',
  );
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa, other), 'keep', 'after a new sign-in the learner keeps the copy');
  t.equal(await stateOf(elsewhere.appareil, elsewhere.prepa), 'sign-in');

  const expired = await keeping(t);
  await query('update session set expires_at = $2 where user_id = $1', [expired.learner.id, clock.now()]);
  t.equal(await stateOf(expired.appareil, expired.prepa, expired.learner.session), 'sign-in', 'an expired session');
  await query('update app_user set blocked_at = now() where id = $1', [expired.learner.id]);
  t.equal(await stateOf(expired.appareil, expired.prepa), 'remove: session-ended', 'a blocked learner, even after the session had expired');

  const signedOut = await keeping(t);
  t.equal((await call(app, { method: 'POST', url: '/api/users/logout', session: signedOut.learner.session })).statusCode, 200);
  t.same(await query('select from offline_copy where device_id = $1', [signedOut.device]), []);
  t.equal(await stateOf(signedOut.appareil, signedOut.prepa), 'remove: session-ended');
});

t.test('an ended device that returns loses its copy to three newer devices', async (t) => {
  const { appareil, base, learner, prepa, device } = await keeping(t);
  await query(`update offline_device set ended = 'devices' where id = $1`, [device]);
  for (let index = 0; index < 3; index += 1) t.equal((await keep({ base, session: learner.session })).status, 200);
  t.equal(await stateOf(appareil, prepa, learner.session), 'remove: device-removed');
  t.equal((await query('select from offline_copy where prepa_id = $1', [prepa.id])).length, 3);
});

t.test('after 90 days keys are deleted, and devices without a paid prepa', async (t) => {
  const commands = await openCommands(t, home);
  const run = () =>
    prune(commands.fork(), commands.context, commands.prunings, { retention: commands.config.retention }).then(
      ({ offline_entries, offline_devices }) => [offline_entries, offline_devices],
    );
  await query('delete from offline_device');
  await query('delete from offline_entry');
  const [paid, ended, recent] = [await keeping(t), await keeping(t), await keeping(t)];
  const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  await query('update offline_device set seen_at = $1 where id <> $2', [ago(91), recent.device]);
  await query('update enrolment set date_expiration = $1 where user_id = any($2)', [ago(1), [ended.learner.id, recent.learner.id]]);
  for (const days of [89, 91])
    await query(`insert into offline_entry (user_id, cle, item_id, type, at, taken_at) values ($1, $2, $3, 'lu', $4, $4)`, [
      paid.learner.id,
      randomUUID(),
      paid.lesson.id,
      ago(days),
    ]);
  t.same(await run(), [1, 0], 'a device stays until 90 days after the end of its prepa');
  await query('update enrolment set date_expiration = $1 where user_id = any($2)', [ago(91), [ended.learner.id, recent.learner.id]]);
  t.same(await run(), [0, 1]);
  t.same(
    (await query<{ id: number }>('select id from offline_device order by id')).map(({ id }) => id),
    [paid.device, recent.device],
  );
});

t.test('equal devices are distinguished by last contact and by the name that the learner gives them', async (t) => {
  const { learner, base, prepa, maths } = await course();
  const { session } = learner;
  const devices = [];
  for (let index = 0; index < 3; index += 1) {
    devices.push(await keep({ base, session }));
    clock.advance(dayMs);
  }
  const [first, second] = devices;
  await contact(second?.appareil ?? '', [{ id: prepa.id }], session);
  const refusal = async () => (await keep({ base, session })).json.message as string;
  const seen = await refusal();
  t.equal(seen.match(/Chrome, Android \(depuis le /g)?.length, 3);
  t.match(seen, /vu le \d.*\), .*vu aujourd'hui\) et .*vu hier\)/);

  const name = (id: unknown, nom: string, as = session) => submit(app, `/user/profil/hors-ligne/${id}/nommer`, { nom }, as);
  const answer = await name(first?.json.device, ' Téléphone  de\tMarie ');
  t.match([answer.statusCode, answer.headers.location], [303, '/user/profil#profile-kept']);
  t.match(await refusal(), /Téléphone de Marie \(depuis le .*Chrome, Android \(depuis le /);
  t.match((await visit(app, '/user/profil', session)).body, /card__title">Téléphone de Marie</);
  await keep({ base, session }, first?.appareil, [maths.id]);
  t.match(await refusal(), 'Téléphone de Marie', 'a changed choice keeps the name');
  await keep({ base, session }, first?.appareil, null, 'Tablette');
  t.match(await refusal(), 'Tablette', 'the name given when the prepa is kept');
  await name(first?.json.device, ' \u200b ');
  await name(first?.json.device, 'Volé', (await createLearner(home)).session);
  t.match(await refusal(), 'Tablette', "neither an empty name nor another learner's request");
});

t.test('another account on the same device takes the device over', async (t) => {
  const { appareil, base, learner, prepa, device } = await keeping(t);
  const next = await createLearner(home);
  await createEnrolment(home, next, prepa);
  const { status, json } = await keep({ base, session: next.session }, appareil);
  t.equal(status, 200);
  t.not(json.device, device, 'ends signed for the previous account are not valid');
  t.equal(await stateOf(appareil, prepa, learner.session), 'remove: other-account');
  t.equal(await stateOf(appareil, prepa, next.session), 'keep');
});

t.test('the profile lists the devices with their prepas, and removes a device by a plain form', async (t) => {
  const { appareil, learner, prepa, device } = await keeping(t);
  const stranger = await createLearner(home);
  t.notMatch((await visit(app, '/user/profil', stranger.session)).body, 'Préparations gardées');
  const page = await visit(app, '/user/profil', learner.session);
  t.match(page.body, /Préparations gardées hors connexion[\s\S]*Chrome, Android[\s\S]*ENS, depuis le/);
  t.notMatch(page.body, appareil);
  const own = (body: string) => body.split('Préparations gardées')[1]?.includes('Cet appareil');
  t.same([own(page.body), own((await visit(app, '/user/profil', await anotherSession(learner))).body)], [true, false]);
  const url = `/user/profil/hors-ligne/${device}/retirer`;
  t.equal((await submit(app, url, {}, stranger.session)).statusCode, 303);
  t.equal(await stateOf(appareil, prepa, learner.session), 'keep', "another learner's request changes nothing");
  const answer = await submit(app, url, {}, learner.session);
  t.match([answer.statusCode, answer.headers.location], [303, '/user/profil']);
  t.equal(await stateOf(appareil, prepa, learner.session), 'remove: device-removed');
  t.equal(await stateOf(appareil, prepa), 'remove: device-removed');
  t.notMatch((await visit(app, '/user/profil', learner.session)).body, 'Préparations gardées');
  t.equal((await submit(app, url, {}, learner.session)).statusCode, 303, 'a second tap');
});
