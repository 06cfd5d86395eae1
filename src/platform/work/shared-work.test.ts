import { once } from 'node:events';
import t from 'tap';
import { SharedWork } from './shared-work.ts';

/** Work that ends when it is told, and says whether it was aborted. */
function startable() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    signals.push(signal);
    return promise;
  };
  return { work, finish: resolve, signals };
}

t.test('two callers share one run', async (t) => {
  const shared = new SharedWork<string>();
  const { work, finish, signals } = startable();
  const first = shared.join('a', new AbortController().signal, work);
  const second = shared.join('a', new AbortController().signal, work);
  finish('done');
  t.same(await Promise.all([first, second]), ['done', 'done']);
  t.equal(signals.length, 1);
  t.equal(await shared.join('a', new AbortController().signal, async () => 'anew'), 'anew', 'nothing is kept afterwards');
});

t.test('one caller who leaves takes nothing from the other; with the last the work ends', async (t) => {
  const shared = new SharedWork<string>();
  const { work, signals } = startable();
  const [one, other] = [new AbortController(), new AbortController()];
  const first = shared.join('a', one.signal, work);
  const second = shared.join('a', other.signal, work);
  one.abort(new Error('gone'));
  await t.rejects(first, { message: 'gone' });
  const [signal] = signals;
  t.equal(signal?.aborted, false);
  const ended = once(signal as AbortSignal, 'abort');
  other.abort(new Error('gone too'));
  await t.rejects(second, { message: 'gone too' });
  await ended;
});

t.test('a failure is told to all who wait', async (t) => {
  const shared = new SharedWork<string>();
  const fails = async () => {
    throw new Error('no');
  };
  const signal = new AbortController().signal;
  await t.rejects(Promise.all([shared.join('a', signal, fails), shared.join('a', signal, fails)]), { message: 'no' });
});
