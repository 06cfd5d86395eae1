import type { RoomTimes } from '../../../src/shared/exams/phone/sitting-view.ts';
import type { Given } from '../../../src/shared/questions/grade.ts';
import { type Random, seeded } from '../random.ts';
import { judge } from './judge.ts';
import { createPhone, type Phone, type PhoneOptions } from './phone.ts';
import { type ExamServer, memoryServer, minute, type Outcome } from './server.ts';
import { createWorld } from './world.ts';

/** Arbitrary: the opening of an exam without a database, in ms. */
const anyOpening = Date.UTC(2027, 2, 6, 7);
export const duree = 10;

export interface Played {
  wrong: string[];
  outcome: Outcome;
  phones: Phone[];
  /** What happened, by name. */
  seen: Record<string, number>;
}

type Step = [at: number, what: string, phone: number, value?: unknown];

/** Returns what happens to the phones of one candidate, from a seed. Times in ms after the opening. */
export function planOf(seed: number): { phones: PhoneOptions[]; steps: Step[] } {
  const random = seeded(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const length = duree * minute;
  const phones = Array.from({ length: random() < 0.3 ? 2 : 1 }, (_, device): PhoneOptions => {
    const fast = random() < 0.5 ? 0 : upTo(20 * minute) - 10 * minute;
    const storage = random() < 0.12 ? 'refused' : random() < 0.1 ? 'full' : 'there';
    return { device, fast, storage };
  });
  const steps: Step[] = [];
  for (const { device } of phones) {
    const opens = device === 0 ? upTo(minute) : upTo(length);
    steps.push([opens, 'open', device], [opens + 1_000 + upTo(20_000), 'begin', device]);
    for (let count = upTo(25); count > 0; count -= 1) {
      const g = random() < 0.1 ? null : random() < 0.8 ? { choices: [`c${upTo(4)}`] } : { typed: `t${upTo(99)}` };
      steps.push([opens + upTo(length + 2 * minute), 'answer', device, { q: `q${upTo(8)}`, g }]);
    }
    const span = length + 3 * minute;
    const during = (what: string, most: number, value: () => unknown, then: string | null, long: number) => {
      for (let count = upTo(most + 1); count > 0; count -= 1) {
        const at = upTo(span);
        steps.push([at, what, device, value()]);
        if (then) steps.push([at + 500 + upTo(long), then, device]);
      }
    };
    during('cut', 3, () => null, 'restore', 5 * minute);
    during('close', 2, () => null, 'open', minute);
    during('kill', 2, () => null, 'open', minute);
    during('hide', 3, () => null, 'shown', 3 * minute);
    during('sleep', 1, () => 5_000 + upTo(3 * minute), null, 0);
    if (random() < 0.3) during('clock', 3, () => upTo(20 * minute) - 10 * minute, null, 0);
    during('fill', 1, () => null, null, 0);
    if (random() < 0.4) steps.push([upTo(length), 'handIn', device]);
  }
  steps.sort(([one], [other]) => one - other);
  return { phones, steps };
}

/** Plays a plan against a server, then brings all phones back to the network within the grace, and judges. */
export async function play(
  { phones: options, steps }: ReturnType<typeof planOf>,
  random: Random,
  serverOf: (times: RoomTimes) => ExamServer = memoryServer,
  opening = anyOpening,
): Promise<Played> {
  const times: RoomTimes = { ouvre: opening, ferme: opening + 60 * minute, duree, maintenant: opening };
  const world = createWorld(opening);
  const server = serverOf(times);
  const phones = options.map((one) => createPhone(world, server, times, random, one));
  const seen: Record<string, number> = {};
  for (const [at, what, device, value] of steps) {
    await world.runUntil(opening + at);
    seen[what] = (seen[what] ?? 0) + 1;
    const phone = phones[device];
    if (phone) await act(phone, what, value);
  }
  // Within the grace each phone comes back, and stays until everything has arrived.
  await world.runUntil(world.now() + Math.floor(random() * 8 * minute));
  for (const phone of phones) {
    phone.restore();
    if (phone.page()) phone.shown();
    else await phone.open();
  }
  await world.runUntil(world.now() + 10 * minute);
  await world.runUntil(Math.max(world.now(), (await server.outcome()).cut + 3 * minute));
  const outcome = await server.outcome();
  const given = phones.flatMap((phone) => phone.given);
  const wrong = judge(given, outcome);
  for (const [index, phone] of phones.entries()) {
    const state = phone.page()?.sitting.state();
    if (!state || state.record.debut === null) continue;
    if (state.unsent > 0) wrong.push(`phone ${index} has ${state.unsent} unsent answers`);
    if (!state.record.remis) wrong.push(`phone ${index} has not handed in`);
    else if (state.record.remis.recu !== outcome.receipt) wrong.push(`phone ${index} shows another receipt`);
    if (phones.length === 1) wrong.push(...differences(state.record.answers, outcome.answers));
  }
  return { wrong, outcome, phones, seen: { ...seen, given: given.length, kept: given.filter(({ isKept }) => isKept).length } };
}

async function act(phone: Phone, what: string, value: unknown): Promise<void> {
  if (what === 'open' && !phone.page()) await phone.open();
  else if (what === 'close' || what === 'kill') phone.close(what === 'kill');
  else if (what === 'answer') phone.answer(...(Object.values(value as object) as [string, Given | null]));
  else if (what === 'clock') phone.setClock(value as number);
  else if (what === 'sleep' && phone.page()) {
    phone.hide();
    phone.sleep(value as number);
  } else if (what === 'begin') phone.begin();
  else if (what === 'cut') phone.cut();
  else if (what === 'restore') phone.restore();
  else if (what === 'hide') phone.hide();
  else if (what === 'shown') phone.shown();
  else if (what === 'fill') phone.fill();
  else if (what === 'handIn') phone.handIn();
}

/** Compares what the candidate reads afterwards with what counts. */
function differences(shown: Record<string, { g: Given | null }>, counted: Outcome['answers']): string[] {
  const text = (g: Given | null | undefined) => JSON.stringify(g ?? null);
  const all = new Set([...Object.keys(shown), ...counted.keys()]);
  return [...all]
    .filter((q) => text(shown[q]?.g) !== text(counted.get(q)))
    .map((q) => `${q}: the phone shows ${text(shown[q]?.g)}, ${text(counted.get(q))} counts`);
}
