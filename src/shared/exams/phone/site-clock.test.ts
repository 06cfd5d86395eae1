import t from 'tap';
import { siteClock } from './site-clock.ts';

const minute = 60_000;
const unknown = { offset: 0, seen: 0 };

/** Returns the clocks of a phone that is `fast` ms ahead, with means to let time pass. */
function phone({ fast = 0 } = {}) {
  const state = { wall: 1_000_000_000 + fast, mono: 0 };
  return {
    clocks: { wall: () => state.wall, mono: () => state.mono },
    pass(ms: number) {
      state.wall += ms;
      state.mono += ms;
    },
    sleep(ms: number) {
      state.wall += ms;
    },
    set(ms: number) {
      state.wall += ms;
    },
    reload() {
      state.mono = 0;
    },
    /** The site's time, if nothing but `pass`, `sleep` and the given changes moved the phone's clock. */
    site: (changes = 0) => state.wall - fast - changes,
  };
}

t.test("the site's time is the server's, whatever the phone's clock says", async (t) => {
  const own = phone({ fast: 10 * minute });
  const clock = siteClock(own.clocks, unknown);
  t.equal(clock.now(), own.site() + 10 * minute, 'before any response: the phone');
  t.notOk(clock.isSure());
  const sent = clock.moment();
  own.pass(800);
  t.equal(clock.sync(own.site() - 400, sent), -10 * minute, 'half of the way back is between');
  own.pass(minute);
  own.set(-7 * minute);
  clock.look(false);
  t.equal(clock.now(), own.site(-7 * minute), 'a change of the clock in the foreground moves nothing');
  t.ok(clock.isSure());
});

t.test('the time of a sleep counts, and is not sure', async (t) => {
  const own = phone();
  const clock = siteClock(own.clocks, unknown);
  clock.sync(own.site(), clock.moment());
  own.sleep(5 * minute);
  clock.look(true);
  t.equal(clock.now(), own.site());
  t.notOk(clock.isSure());
  own.set(-5 * minute);
  clock.look(true);
  t.equal(clock.now(), own.site(-5 * minute), 'never back');
});

t.test('a slower response does not make the time worse', async (t) => {
  const own = phone();
  const clock = siteClock(own.clocks, unknown);
  const first = clock.moment();
  own.pass(100);
  clock.sync(own.site() - 50, first);
  const second = clock.moment();
  own.pass(8_000);
  t.equal(clock.sync(own.site(), second), 0, 'the server answered at once, the response took eight seconds');
  t.equal(clock.now(), own.site());
  const third = clock.moment();
  own.pass(8_000);
  t.equal(clock.sync(own.site() + minute, third), minute + 4_000, 'one that contradicts is taken');
});

t.test('a response that waited while the phone slept says nothing', async (t) => {
  const own = phone();
  const clock = siteClock(own.clocks, unknown);
  clock.sync(own.site(), clock.moment());
  const sent = clock.moment();
  const answered = own.site();
  own.sleep(3 * minute);
  clock.look(true);
  t.equal(clock.sync(answered, sent), 0);
  t.equal(clock.now(), own.site());
  t.notOk(clock.isSure());
});

t.test('the next page goes on with the difference to the phone, never before the last time seen', async (t) => {
  const own = phone({ fast: -3 * minute });
  const clock = siteClock(own.clocks, unknown);
  clock.sync(own.site(), clock.moment());
  own.pass(minute);
  const kept = clock.kept();
  own.reload();
  own.sleep(2_000);
  t.equal(siteClock(own.clocks, kept).now(), own.site());
  own.set(-10 * minute);
  const back = siteClock(own.clocks, kept);
  t.equal(back.now(), kept.seen);
  own.pass(1_000);
  t.equal(back.now(), kept.seen + 1_000, 'and runs from there');
});
