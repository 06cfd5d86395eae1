/**
 * `make recall`: simulates learners who study by several policies with the same time, and prints the share of questions that they know on
 * the day of the concours. LEARNERS (1,000) of each family, drawn from SEED (1); FAMILY=ACT-R simulates one family, and
 * ONLY=known, dates or forecasts prints one table. bench/README.md describes the output. The exit code is 1 when our policy is below FSRS at fixed 90 % by more than the interval.
 */
import { families } from './recall/learners.ts';
import { ours, policies } from './recall/policies.ts';
import { type Setting, simulate } from './recall/simulate.ts';
import { Calibration, gainOver, margin, mean } from './recall/summary.ts';

const whole = (name: string, otherwise: number): number => Number.parseInt(process.env[name] ?? '', 10) || otherwise;
const learners = whole('LEARNERS', 1_000);
/** Learners at other dates, and for the forecasts. */
const fewer = Math.max(Math.round(learners / 10), Math.min(learners, 20));
const seed = whole('SEED', 1);
const questions = 300;
const minutesADay = [15, 30];
const { FAMILY = Object.keys(families).join() } = process.env;
const chosen = Object.entries(families).filter(([name]) => FAMILY.split(',').includes(name));
if (chosen.length === 0) throw new Error(`no family is called ${FAMILY}: there are ${Object.keys(families).join(', ')}`);

const percent = (share: number): string => (100 * share).toFixed(1);
const signed = ({ gain, margin: width }: ReturnType<typeof gainOver>): string =>
  `${gain < 0 ? '' : '+'}${percent(gain)} ± ${percent(width)} %`;
const row = (cells: readonly string[]): void => console.log(`| ${cells.join(' | ')} |`);
function head(cells: readonly string[]): void {
  row(cells);
  row(cells.map(() => '---'));
}

const eachLearner = <Result>(count: number, run: (seed: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => run(seed * 1_000_000 + index));
const knownBy = (setting: Setting, count: number): Map<string, number[]> =>
  new Map(policies.map((policy) => [policy.name, eachLearner(count, (drawn) => simulate(setting, policy, drawn).known)]));

const worse: string[] = [];
function compare(place: string, known: Map<string, number[]>): string[] {
  const [own, fixed, spread] = [ours.name, 'fixed 90 %', 'fixed, new spread'].map((name) => known.get(name) as number[]) as [
    number[],
    number[],
    number[],
  ];
  const over = gainOver(own, fixed);
  if (over.gain + over.margin < 0) worse.push(place);
  return [signed(over), signed(gainOver(own, spread))];
}

/** Prints the share of known questions for each policy at the dates that matter most. */
function printKnown(): void {
  console.log('\nKnown on the day, in % of the questions, with 95 % intervals\n');
  head(['learners', 'days', 'minutes', ...policies.map(({ name }) => name), 'ours over fixed 90 %', 'over fixed, new spread']);
  for (const [name, family] of chosen)
    for (const days of [14, 30, 60])
      for (const minutes of minutesADay) {
        const known = knownBy({ family, questions, days, minutes }, learners);
        const shares = [...known.values()].map((values) => `${percent(mean(values))} ± ${percent(margin(values))}`);
        row([name, `${days}`, `${minutes}`, ...shares, ...compare(`${name}, ${days} days, ${minutes} minutes`, known)]);
      }
}

/** Prints the gains at other dates, with fewer learners. */
function printDates(): void {
  console.log(`\nOther dates, ${fewer} learners\n`);
  head(['learners', 'days', 'minutes', 'fixed 90 %', 'ours', 'ours over fixed 90 %', 'over fixed, new spread']);
  for (const [name, family] of chosen)
    for (const days of [5, 7, 10, 20, 45, 90])
      for (const minutes of minutesADay) {
        const known = knownBy({ family, questions, days, minutes }, fewer);
        const shares = ['fixed 90 %', ours.name].map((policy) => percent(mean(known.get(policy) as number[])));
        row([name, `${days}`, `${minutes}`, ...shares, ...compare(`${name}, ${days} days, ${minutes} minutes`, known)]);
      }
}

/** Prints how far forecasts of answers and of the share known on the day came true. */
function printForecasts(): void {
  console.log(`\nForecasts of our policy, 30 days, 15 minutes, ${fewer} learners; by tenths: forecast → came true (answers)\n`);
  head(['learners', 'Brier score', 'tenths', 'known within the range on the eve', 'within the range on day 11, going on']);
  for (const [name, family] of chosen) {
    const outcomes = eachLearner(fewer, (drawn) => simulate({ family, questions, days: 30, minutes: 15 }, ours, drawn, true));
    const calibration = new Calibration();
    for (const { forecasts } of outcomes) for (const forecast of forecasts) calibration.add(forecast);
    const within = (range: 'stopping' | 'studying'): string => {
      const foretold = outcomes.flatMap(({ known, [range]: limits }) => (limits ? [{ ...limits, known }] : []));
      const hits = foretold.map(({ low, high, known }) => (low <= known && known <= high ? 1 : 0));
      const off = foretold.map(({ low, high, known }) => (low + high) / 2 - known);
      return `${percent(mean(hits))} %, its middle off by ${percent(mean(off))}`;
    };
    const tenths = calibration.deciles.map(({ count, forecast, came }) => `${percent(forecast)} → ${percent(came)} (${count})`);
    row([name, calibration.brier.toFixed(3), tenths.join('; '), within('stopping'), within('studying')]);
  }
}

const parts = { known: printKnown, dates: printDates, forecasts: printForecasts };
const { ONLY = Object.keys(parts).join() } = process.env;
console.log(`${learners} learners of each family, ${questions} questions, seed ${seed}`);
for (const [name, print] of Object.entries(parts)) if (ONLY.split(',').includes(name)) print();
console.log(worse.length === 0 ? '\nnever below fixed 90 %' : `\nbelow fixed 90 %: ${worse.join('; ')}`);
process.exitCode = worse.length === 0 ? 0 : 1;
