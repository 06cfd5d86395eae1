import { sameAnswer } from '../../../src/shared/exams/phone/sitting-record.ts';
import type { GivenAnswer } from './phone.ts';
import type { Outcome } from './server.ts';

/** Error of a page's clock from the network's delays, in ms: half of the slowest way there and back. */
const networkError = 3_600;

/**
 * Compares what counts with what the candidate gave. An answer that the page said is kept must count, unless a later one replaces it; one after
 * the end must not. An answer that was not kept yet may count or not, and so may one so near to the end, or to another device's answer, that the
 * phone's clock does not tell their order.
 * @returns what is wrong, in words
 */
export function judge(given: readonly GivenAnswer[], { answers, cut }: Outcome): string[] {
  const wrong: string[] = [];
  const of = Map.groupBy(given, ({ q }) => q);
  for (const [q, counted] of answers) if (!of.has(q)) wrong.push(`${q}: ${JSON.stringify(counted)} was never given`);
  for (const [q, all] of of) {
    const error = (one: GivenAnswer) => networkError + one.error;
    const certain = all.filter((one) => one.isKept && one.at <= cut - error(one));
    const isReplaced = (one: GivenAnswer) =>
      certain.some((later) => later.at - one.at > (one.device === later.device ? 0 : error(one) + error(later)));
    const possible = all.filter((one) => one.at <= cut + error(one) && !isReplaced(one));
    const counted = answers.get(q) ?? null;
    const isNone = counted === null && certain.length === 0;
    if (isNone || possible.some(({ g }) => sameAnswer(g, counted))) continue;
    const said = all.map((one) => `${JSON.stringify(one.g)} at ${one.at - cut}${one.isKept ? ' kept' : ''} ±${one.error} on ${one.device}`);
    wrong.push(`${q}: ${JSON.stringify(counted)} counts; ${said.join(', ')}`);
  }
  return wrong;
}
