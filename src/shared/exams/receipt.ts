import type { Given } from '../questions/grade.ts';

/** Consonants and digits that nobody confuses when they are read aloud. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ2345679';
const length = 8;

/** Returns answers as one text: the same for equal answers, in whatever order they were given. */
function canonical(answers: ReadonlyMap<string, Given>): string {
  const sorted = [...answers].sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(
    sorted.map(([question, given]) => [question, 'choices' in given ? [...given.choices].sort() : 'typed' in given ? given.typed : null]),
  );
}

/**
 * Returns the receipt of a hand-in, eight letters: 'BX4T-9KQZ'. Equal answers at the same time have the same. It proves what the server had
 * at the hand-in: answers of another device that arrive later count, and change no receipt.
 * @param handedInAt the server's time, in ms
 */
export async function receiptOf(answers: ReadonlyMap<string, Given>, handedInAt: number): Promise<string> {
  const text = new TextEncoder().encode(`${handedInAt}\n${canonical(answers)}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  const chosen = Array.from(hash.subarray(0, length), (byte) => letters[byte % letters.length]).join('');
  return `${chosen.slice(0, 4)}-${chosen.slice(4)}`;
}
