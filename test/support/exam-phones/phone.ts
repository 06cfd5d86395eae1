import { openSitting } from '../../../src/shared/exams/phone/sitting.ts';
import type { SittingRecord } from '../../../src/shared/exams/phone/sitting-record.ts';
import type { Browser, RoomTimes, Sitting } from '../../../src/shared/exams/phone/sitting-view.ts';
import type { Given } from '../../../src/shared/questions/grade.ts';
import type { Random } from '../random.ts';
import type { ExamServer } from './server.ts';
import type { World } from './world.ts';

/** Response timeout of a page, in ms. */
const timeoutMs = 20_000;
const tickMs = 2_000;

/** An answer of the candidate, and what became of it on the phone. */
export interface GivenAnswer {
  q: string;
  g: Given | null;
  /** The true time, in ms. */
  at: number;
  device: number;
  /** The page said that it is kept. */
  isKept: boolean;
  /** Largest error that the page's clock may have, in ms. */
  error: number;
}

export interface PhoneOptions {
  device: number;
  /** By how much the phone's clock is ahead, in ms. */
  fast: number;
  /** 'refused': from the start; 'full': from some time on. */
  storage: 'there' | 'refused' | 'full';
}

/** A phone with a page of the exam's room, or none. */
export function createPhone(world: World, server: ExamServer, times: RoomTimes, random: Random, options: PhoneOptions) {
  const disk: { record: SittingRecord | null } = { record: null };
  const given: GivenAnswer[] = [];
  const upTo = (most: number) => random() * most;
  let wallError = options.fast;
  let isCut = false;
  let isFull = false;
  /** The last sleep, and the sum of those before, in ms. */
  let sleep = { from: 0, long: 0, before: 0 };
  const slept = () => sleep.before + Math.max(0, Math.min(world.now() - sleep.from, sleep.long));
  /** Changes of the phone's clock in the background since the last contact, in ms. */
  let jumps = 0;
  /** Whoever takes the phone wakes it. */
  const wake = () => {
    sleep = { from: 0, long: 0, before: slept() };
  };
  let page: { sitting: Sitting; isHidden: boolean } | null = null;
  let life = 0;
  /** The page on which an answer was given. */
  const pages = new Map<GivenAnswer, number>();
  /** Answers since the last contact. */
  const since = new Set<GivenAnswer>();
  function measured(): void {
    jumps = 0;
    since.clear();
  }

  function browserOf(own: number): Browser {
    const alive = () => own === life;
    const born = world.now();
    const sleptBefore = slept();
    /** Runs work that a sleep of the phone delays. */
    const run = (work: () => void): unknown => {
      const rest = sleep.from + sleep.long - world.now();
      return alive() && (rest > 0 ? world.after(rest, () => run(work)) : work());
    };
    return {
      wall: () => world.now() + wallError,
      mono: () => world.now() - born - (slept() - sleptBefore),
      isHidden: () => page?.isHidden ?? false,
      random,
      newId: () => `0000000${options.device}-0000-4000-8000-${Math.floor(upTo(1e12)).toString().padStart(12, '0')}`,
      after: (ms, work) => world.after(ms, () => run(work)),
      load: async () => {
        if (options.storage === 'refused') throw new Error('refused');
        return disk.record && structuredClone(disk.record);
      },
      save: (record) =>
        new Promise((resolve, reject) => {
          const copy = structuredClone(record);
          world.after(upTo(60), () => {
            // A page that was closed meanwhile may have been too late.
            if (!alive() && random() < 0.5) return;
            if (isFull || options.storage === 'refused') return reject(new Error('full'));
            disk.record = copy;
            resolve();
          });
        }),
      // Possible on a full disk.
      remove: () =>
        new Promise((resolve) => {
          world.after(30, () => {
            disk.record = null;
            resolve();
          });
        }),
      call(what, body) {
        const sent = structuredClone(body);
        return new Promise((resolve) => {
          const answer = (value: Awaited<ReturnType<Browser['call']>>) => run(() => resolve(value));
          world.after(timeoutMs, () => answer(null));
          if (isCut) return world.after(upTo(2_000), () => answer(null));
          const luck = random();
          if (luck < 0.08) return;
          // Some arrive when the page has given up.
          const way = luck < 0.11 ? 20_000 + upTo(60_000) : 30 + upTo(luck < 0.3 ? 6_000 : 400);
          world.after(way, async () => {
            const reply = structuredClone(await server.call(what, sent as never, world.now()));
            if (random() < 0.06) return;
            world.after(30 + upTo(400), () => {
              run(() => {
                measured();
                resolve(reply);
              });
            });
          });
        });
      },
      show(state) {
        if (!alive() || !state.isKept) return;
        for (const one of given) if (!one.isKept && pages.get(one) === own) one.isKept = true;
      },
    };
  }

  const phone = {
    given,
    disk,
    page: () => page,
    async open() {
      wake();
      life += 1;
      const own = life;
      const sitting = await openSitting(times, browserOf(own));
      page = { sitting, isHidden: false };
      const tick = () => {
        if (own !== life || !page) return;
        if (!page.isHidden) page.sitting.tick();
        world.after(tickMs, tick);
      };
      tick();
    },
    /** Closes the page. @param isKilled the page cannot do anything before */
    close(isKilled: boolean) {
      if (!isKilled) page?.sitting.leave();
      page = null;
      life += 1;
    },
    hide() {
      if (!page) return;
      page.isHidden = true;
      page.sitting.leave();
    },
    shown() {
      if (!page) return;
      wake();
      page.isHidden = false;
      page.sitting.tick();
      page.sitting.retry();
    },
    /** The phone sleeps: its monotonic clock stops. */
    sleep(ms: number) {
      sleep = { from: world.now(), long: ms, before: slept() };
    },
    setClock(ms: number) {
      if (!page || page.isHidden) jumps += Math.abs(ms - wallError);
      for (const one of since) one.error += jumps;
      wallError = ms;
    },
    cut() {
      isCut = true;
    },
    restore() {
      isCut = false;
      if (page && !page.isHidden) page.sitting.retry();
    },
    fill() {
      isFull = options.storage === 'full';
    },
    begin() {
      page?.sitting.begin();
    },
    handIn() {
      page?.sitting.handIn();
    },
    answer(q: string, g: Given | null) {
      if (!page || page.isHidden || !page.sitting.state().isOpen) return;
      const one: GivenAnswer = { q, g, at: world.now(), device: options.device, isKept: false, error: jumps };
      given.push(one);
      pages.set(one, life);
      since.add(one);
      page.sitting.answer(q, g);
    },
  };
  return phone;
}
export type Phone = ReturnType<typeof createPhone>;
