import type { ParticipationView, SittingView } from '../exam-calls.ts';
import { planner } from './planner.ts';
import { recordStore } from './record-store.ts';
import { siteClock } from './site-clock.ts';
import {
  batchBody,
  type KeptBatch,
  newRecord,
  type SittingRecord,
  unsentCount,
  unsentOf,
  withAnswer,
  withBatch,
  withHandInBatch,
  withoutBatch,
  withServerAnswers,
  withSiteTime,
} from './sitting-record.ts';
import type { Browser, Reply, RoomTimes, Sitting, SittingState, Trouble } from './sitting-view.ts';
import { troubleOf } from './trouble.ts';

/** Time between two batches while answers change, in ms. */
const batchMs = 15_000;
/** Pauses before a repetition, in ms. The last repeats. */
const pauses = [2_000, 4_000, 8_000, 15_000, 30_000];
/** Time between two saves of the time alone, in ms. */
const timeStepMs = 10_000;
/** Without storage, a request of an earlier page may arrive after the hand-in: the page looks once more, after this time in ms. */
const lateMs = 90_000;

/**
 * Runs a candidate's sitting on a phone: answers are stored there first, then sent until the server confirms them. Nothing is given up: each
 * request is repeated with growing pauses, on the next page too.
 */
export async function openSitting(times: RoomTimes, browser: Browser): Promise<Sitting> {
  let record = newRecord(browser.newId(), times.maintenant);
  const store = recordStore(browser, { record: () => record, time: () => clock.kept(), saved: () => show(), failed: goOnInMemory });
  record = (await store.load(null)) ?? record;
  store.goOnWith(record);
  const clock = siteClock(browser, record.time);
  let others = false;
  let trouble: Trouble = null;
  let isBusy = false;
  /** This page has the server's time, and its answers as they were then. */
  let isSynced = false;
  /** The server knows of the sitting. */
  let isBegun = false;
  let failures = 0;
  let hasFailed = false;
  let lastSentAt = Number.NEGATIVE_INFINITY;
  /** Counts confirmations: answers of the server from before one lack what it confirmed. */
  let confirmations = 0;
  let hasLookedAgain = false;
  let isStopped = false;
  let wasHidden = false;
  const { plan, cancel } = planner(browser, () => send());
  const { save } = store;

  const end = (): number | null =>
    record.fin ?? (record.debut === null ? null : Math.min(record.debut + times.duree * 60_000, times.ferme));
  const isOver = (): boolean => clock.now() >= (end() ?? Number.POSITIVE_INFINITY);
  /** Nothing is left to send, whose times would need the site's time. */
  const isDone = (): boolean => record.isArrived && unsentOf(record).length === 0;
  const isOpen = (): boolean => record.debut !== null && !isStopped && !record.rendu && !record.isArrived && !isOver();

  function state(): SittingState {
    const [at, unsent] = [end(), unsentCount(record)];
    const left = at === null ? null : Math.max(0, at - clock.now());
    return {
      record,
      left,
      end: at,
      isOpen: isOpen(),
      isKept: store.isStored() ? store.isAnswerStored() : unsent === 0,
      isStored: store.isStored(),
      unsent,
      others,
      trouble,
    };
  }
  const show = () => browser.show(state());

  /** Storage is full or refused from now on. The next page begins from what is stored: its numbers must not meet those of this page. */
  function goOnInMemory(): void {
    record = { ...record, appareil: browser.newId(), batches: [], pending: unsentOf(record) };
    plan(0);
  }

  async function send(): Promise<void> {
    if (isBusy || isStopped) return;
    isBusy = true;
    hasFailed = false;
    while (await next());
    isBusy = false;
    if (!hasFailed) failures = 0;
    else plan((pauses[Math.min(Math.max(failures, 1), pauses.length) - 1] ?? 0) * (0.75 + browser.random() / 2));
    show();
  }

  /** Sends one request. @returns whether there may be another to send */
  async function next(): Promise<boolean> {
    look();
    if (!isSynced) return participate(null);
    if (record.debut === null) return false;
    // After a hand-in elsewhere, or by the site, unsent answers go on their own.
    if (record.rendu && !record.isArrived) {
      const [batch, ...more] = record.batches;
      return batch && record.pending.length === 0 ? sendBatch(batch, more.length === 0) : seal(withHandInBatch);
    }
    if (!isBegun && !record.isArrived)
      return participate({ candidat: record.candidat ?? undefined, debut: record.debut, appareil: record.appareil });
    const [batch] = record.batches;
    if (batch) return sendBatch(batch, false);
    return record.pending.length > 0 && seal(withBatch);
  }

  async function seal(how: (record: SittingRecord) => SittingRecord): Promise<boolean> {
    record = how(record);
    await save();
    return true;
  }

  async function participate(body: object | null): Promise<boolean> {
    const [sent, before] = [clock.moment(), confirmations];
    const reply = await browser.call('participation', body);
    if (!took(reply, sent)) return false;
    if (body) {
      takeSitting(reply?.body);
      await save();
      return true;
    }
    const view: ParticipationView = reply?.body;
    if (!(await takeCandidate(view.candidat))) return true;
    if (view.sitting) takeSitting(view.sitting);
    if (before === confirmations) {
      [record] = withServerAnswers(record, view.reponses, others || record.isArrived);
      isSynced = clock.isSure();
    }
    await save();
    settle();
    if (record.isArrived && !store.isStored() && !hasLookedAgain) {
      hasLookedAgain = true;
      browser.after(lateMs, refresh);
    }
    return true;
  }

  async function sendBatch(batch: KeptBatch, isHandIn: boolean): Promise<boolean> {
    const sent = clock.moment();
    lastSentAt = browser.mono();
    const { appareil } = record;
    const body = batchBody(record, batch, clock.now());
    const reply = isHandIn ? await browser.call('remise', { ...body, fin: record.rendu }) : await browser.call('reponses', body);
    if (!took(reply, sent)) return false;
    confirmations += 1;
    // Unless the record has become another candidate's, or another device, whose numbers are its own.
    const isOwn = record.appareil === appareil;
    if (isOwn) record = withoutBatch(record, batch.numero);
    // The answers as the server has them are what the candidate reads afterwards.
    if (isHandIn) record = { ...record, isArrived: true };
    if (record.isArrived) isSynced = false;
    takeSitting(reply?.body);
    if (isOwn) store.confirm(batch.reponses.length);
    await save();
    return true;
  }

  /** Takes what each response says. @returns whether it is the server's and no refusal */
  function took(reply: Reply | null, sent: ReturnType<typeof clock.moment>): boolean {
    look();
    const time = reply?.body?.maintenant;
    if (reply?.status === 200 && typeof time === 'number') {
      const wasSure = clock.isSure();
      const correction = clock.sync(time, sent);
      if (clock.isSure()) record = withSiteTime(record, wasSure ? 0 : correction, clock.now());
      trouble = null;
      return true;
    }
    failures += 1;
    hasFailed = true;
    // Perhaps another candidate has signed in: the next contact says who.
    if (reply?.status === 409) isSynced = false;
    trouble = troubleOf(reply);
    return false;
  }

  function takeSitting({ debut, fin, remis, tard = false, appareils }: SittingView): void {
    isBegun = true;
    const hadOthers = others;
    others = appareils.some(({ id }) => id !== record.appareil);
    // The other device's answers are not here yet.
    if (others && !hadOthers) isSynced = false;
    record = { ...record, debut, fin, isDebutUnsure: false, remis, isLate: tard };
    if (remis && !record.isArrived) {
      record = { ...record, isArrived: true, rendu: record.rendu ?? 'candidate' };
      isSynced = false;
    }
    settle();
  }

  /** Another candidate has signed in: their own record takes the place. @returns false in this case */
  async function takeCandidate(candidat: string | undefined): Promise<boolean> {
    if (!candidat || record.candidat === candidat) return true;
    if (record.candidat === null) {
      record = { ...record, candidat };
      return true;
    }
    await save();
    record = (await store.load(candidat)) ?? { ...newRecord(browser.newId(), clock.now()), candidat };
    store.goOnWith(record);
    return false;
  }

  /** Looks for a sleep of the phone or a change of its clock, before the time is used: a timer may be the first to run after it. */
  function look(): void {
    const wasSure = clock.isSure();
    if (clock.look(wasHidden || browser.isHidden()) && (record.debut !== null || record.contact > 0) && !isDone()) save();
    wasHidden = browser.isHidden();
    if (!wasSure || clock.isSure() || isDone()) return;
    isSynced = false;
    plan(0);
  }

  /** At the end of the time: hands in. Whether it is the end, a page that does not know the time asks the server first. */
  function settle(): void {
    if (isStopped || record.debut === null || record.rendu || !isOver()) return;
    if (!clock.isSure()) {
      if (isSynced) plan(0);
      isSynced = false;
      return;
    }
    record = { ...record, rendu: 'time' };
    save().then(() => plan(0));
  }

  function refresh(): void {
    isSynced = false;
    plan(0);
  }

  plan(0);
  return {
    state,
    now: clock.now,
    async begin() {
      if (record.debut !== null || clock.now() < times.ouvre) return;
      record = { ...record, debut: clock.now(), isDebutUnsure: !clock.isSure() };
      await save();
      plan(0);
    },
    async answer(q, g) {
      look();
      if (!isOpen()) return;
      record = withAnswer(record, { q, g, t: clock.now(), ...(!clock.isSure() && { unsure: true }) });
      store.addAnswer();
      show();
      await save();
      plan(store.isStored() ? Math.max(0, lastSentAt + batchMs - browser.mono()) : 0);
    },
    async handIn() {
      if (!isOpen()) return;
      record = { ...record, rendu: 'candidate' };
      await save();
      plan(0);
    },
    refresh,
    tick() {
      look();
      settle();
      if (clock.now() - record.time.seen > timeStepMs && record.debut !== null && !record.isArrived) {
        record = { ...record, time: clock.kept() };
        save();
      }
      show();
    },
    leave() {
      look();
      wasHidden = true;
      if (isStopped || record.debut === null || record.pending.length === 0) return;
      if (record.rendu && !record.isArrived) return;
      // A page that does not know the time leaves its answers to the next one, which will.
      if (store.isStored() && !(clock.isSure() && store.isNumberUsed(record.numero))) return;
      record = withBatch(record);
      const batch = record.batches.at(-1);
      save();
      if (batch) sendBatch(batch, false).then(show, () => {});
    },
    retry() {
      failures = 0;
      plan(0);
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
