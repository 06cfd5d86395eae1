import t from 'tap';
import { TestClock } from '../../../../test/support/app.ts';
import { type Answer, html, json, silence, startScripted, status } from '../../../../test/support/scripted-provider.ts';
import type { ProviderHealth } from './provider.ts';
import { type ProviderSurroundings, providerHttp } from './provider-http.ts';

const fine = json({ well: true });
const failingAnswer = { kind: 'unknown', cause: 'provider failing' };

async function start(
  t: Parameters<typeof startScripted>[0],
  answers: Answer[],
  around: Partial<ProviderSurroundings> = {},
  timeoutMs = 10_000,
) {
  const { asked, baseUrl } = await startScripted(t, answers);
  const clock = new TestClock(new Date('2026-11-21T10:00:00Z'));
  const changes: ProviderHealth[] = [];
  const logged: string[] = [];
  const log = { info: (_: unknown, text: string) => logged.push(text), warn: (_: unknown, text: string) => logged.push(text) };
  const surroundings = {
    clock,
    log: log as never,
    firstRepeatMs: 1,
    onStateChange: (health: ProviderHealth) => changes.push(health),
    ...around,
  };
  const http = providerHttp('scripted', timeoutMs, surroundings);
  return {
    asked,
    clock,
    changes,
    logged,
    http,
    get: () => http.get(new URL(`${baseUrl}/x`), {}, http.timeout()),
    post: () => http.post(new URL(`${baseUrl}/x`), { a: 1 }, {}, http.timeout()),
  };
}

t.test('a GET is retried twice while the provider fails, and a POST is sent once', async (t) => {
  for (const [name, fault] of [
    ['500', status(500)],
    ['HTML', html],
    ['a cut', (response) => response.socket?.destroy()],
  ] as [string, Answer][]) {
    const healed = await start(t, [fault, fault, fine]);
    t.match(await healed.get(), { kind: 'answer', status: 200, json: { well: true } }, name);
    t.equal(healed.asked.length, 3, name);
    const ill = await start(t, [fault]);
    t.match(await ill.get(), { kind: 'unknown' }, name);
    t.equal(ill.asked.length, 3, name);
    const done = await start(t, [fault, fine]);
    t.match(await done.post(), { kind: 'unknown' }, name);
    t.equal(done.asked.length, 1, name);
  }
  const settled = await start(t, [json({ error: 'no' }, 404)]);
  t.strictSame(await settled.get(), { kind: 'answer', status: 404, json: { error: 'no' } }, 'a 404 counts as an answer, not as a failure');
  const wordless = await start(t, [(response) => response.writeHead(404).end('gone')]);
  t.strictSame(await wordless.get(), { kind: 'answer', status: 404, json: null });
  t.equal(settled.asked.length + wordless.asked.length, 2);
  const accepted = await start(t, [status(202)]);
  t.strictSame(await accepted.post(), { kind: 'answer', status: 202, json: null }, 'a 2xx response without a body is an answer');
  t.strictSame(await (await start(t, [status(201)])).post(), { kind: 'unknown', cause: 'not JSON' });
});

t.test('one timeout covers the request and its retries', async (t) => {
  const { asked, get } = await start(t, [status(500), silence], {}, 800);
  const before = performance.now();
  t.strictSame(await get(), { kind: 'unknown', cause: 'time-out' });
  t.ok(performance.now() - before < 1_500);
  t.equal(asked.length, 2, 'no request is sent after the timeout');
});

t.test('after repeated failures no requests are sent to a provider', async (t) => {
  const provider = await start(t, [status(500)], { failuresBeforePause: 4, pauseMs: 60_000 });
  await provider.get();
  t.match(provider.http.health(), { breaker: 'closed', failures: 3, lastFailure: 'HTTP 500', waitsUntil: null });
  provider.clock.advance(60_000);
  t.match(await provider.get(), failingAnswer, 'the fourth failure opens the breaker, and retries stop');
  t.equal(provider.asked.length, 4);
  t.strictSame(await provider.get(), { ...failingAnswer, retryAfterSeconds: 60 });
  t.strictSame(await provider.post(), { ...failingAnswer, retryAfterSeconds: 60 });
  t.equal(provider.asked.length, 4, 'no further request is sent');
  t.match(provider.http.health(), { slug: 'scripted', breaker: 'open', failures: 4, since: new Date('2026-11-21T10:01:00Z') });
  t.strictSame(provider.logged, ['payment provider failing'], 'the open breaker is logged once');
});

t.test('after the pause one request tests the provider', async (t) => {
  let answer: Answer = status(500);
  const provider = await start(t, [(response, got) => answer(response, got)], { failuresBeforePause: 1, pauseMs: 0 });
  t.match(await provider.post(), { cause: 'HTTP 500' });
  t.equal(provider.http.health().breaker, 'half-open', 'the pause is over, though no request was sent yet');
  t.match(await provider.post(), { cause: 'HTTP 500' }, 'a failed test request begins another pause');

  const arrived = Promise.withResolvers<() => void>();
  answer = (response, got) => arrived.resolve(() => fine(response, got));
  const trial = provider.get();
  const release = await arrived.promise;
  t.equal(provider.http.health().breaker, 'half-open');
  t.match(await provider.get(), failingAnswer, 'other calls fail at once during the test request');
  t.equal(provider.asked.length, 3);
  answer = fine;
  release();
  t.match(await trial, { kind: 'answer' });
  t.match(provider.http.health(), { breaker: 'closed', failures: 0 });
  t.match(await provider.get(), { kind: 'answer' });
  t.strictSame(
    provider.changes.map(({ breaker }) => breaker),
    ['open', 'half-open', 'open', 'half-open', 'closed'],
  );
  t.strictSame(provider.logged, ['payment provider failing', 'payment provider failing', 'payment provider answers again']);
});

t.test('refusals, and successes between failures, do not open the breaker', async (t) => {
  const refusing = await start(t, [status(404)], { failuresBeforePause: 2 });
  for (let call = 0; call < 5; call += 1) t.match(await refusing.post(), { kind: 'answer', status: 404 });
  const mixed = await start(t, [status(500), fine, status(500), fine], { failuresBeforePause: 2 });
  for (const kind of ['unknown', 'answer', 'unknown', 'answer']) t.equal((await mixed.post()).kind, kind);
  t.equal(mixed.http.health().breaker, 'closed');
});

t.test('every call to the provider respects its 429, for the time that it gives', async (t) => {
  const limited = await start(t, [status(429, { 'retry-after': '120' }), fine], { failuresBeforePause: 1 });
  t.strictSame(await limited.get(), { kind: 'unknown', cause: 'HTTP 429', retryAfterSeconds: 120 });
  t.strictSame(limited.http.health().waitsUntil, new Date('2026-11-21T10:02:00Z'));
  limited.clock.advance(59_500);
  t.strictSame(await limited.get(), { kind: 'unknown', cause: 'asked to wait', retryAfterSeconds: 61 });
  t.strictSame(await limited.post(), { kind: 'unknown', cause: 'asked to wait', retryAfterSeconds: 61 });
  t.equal(limited.asked.length, 1);
  t.match(limited.http.health(), { breaker: 'closed', failures: 0 }, 'a 429 does not count as a failure');
  limited.clock.advance(60_500);
  t.match(await limited.get(), { kind: 'answer' });
  t.match(limited.http.health(), { breaker: 'closed', failures: 0, waitsUntil: null });
});

t.test('the pause after a 429, with each form of Retry-After', async (t) => {
  const cases: [string, Record<string, string>, number][] = [
    ['a date', { 'retry-after': 'Sat, 21 Nov 2026 10:01:30 GMT' }, 90],
    ['a date that has passed', { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 1],
    ['no header', {}, 30],
    ['nonsense', { 'retry-after': 'soon' }, 30],
    ['zero seconds', { 'retry-after': '0' }, 1],
    ['a week', { 'retry-after': '604800' }, 3_600],
  ];
  for (const [name, headers, retryAfterSeconds] of cases) {
    const { get } = await start(t, [status(429, headers)]);
    t.strictSame(await get(), { kind: 'unknown', cause: 'HTTP 429', retryAfterSeconds }, name);
  }
  const back = await start(t, [status(429, { 'retry-after': '3600' }), fine]);
  await back.get();
  back.clock.advance(-10_000);
  t.match(await back.get(), { kind: 'answer' }, 'a clock set back does not prolong the pause');
  const busy = await start(t, [status(503, { 'retry-after': '20' }), fine]);
  t.strictSame(
    await busy.get(),
    { kind: 'unknown', cause: 'HTTP 503', retryAfterSeconds: 20 },
    'a 503 with Retry-After is not retried at once',
  );
  t.match(await busy.get(), { kind: 'answer' });
});

t.test('redirects of a provider are not followed', async (t) => {
  const elsewhere = await startScripted(t, [fine]);
  for (const code of [301, 302, 303, 307, 308]) {
    const moved = await start(t, [status(code, { location: elsewhere.baseUrl })]);
    t.strictSame(await moved.post(), { kind: 'unknown', cause: `HTTP ${code}` });
    t.strictSame(await moved.get(), { kind: 'unknown', cause: `HTTP ${code}` });
  }
  t.same(elsewhere.asked, []);
});
