import { randomUUID } from 'node:crypto';
import type { KeptAnswer, OutboxEntry } from '../../../src/shared/offline/offline-copy.ts';
import type { TestLearner } from '../factories.ts';
import type { Random } from '../random.ts';

/** A question that devices answer, with fields that are right and wrong answers to it. */
export interface Asked {
  id: string;
  item: number;
  /** Questions of series are answered on devices only. */
  inSeries: boolean;
  right: AnswerFields;
  wrong: AnswerFields[];
}
type AnswerFields = Omit<KeptAnswer, 'question'>;

/** An answer as its device knows it: what the site must have in the end. */
export interface Given {
  cle: string;
  learner: string;
  question: string;
  fields: AnswerFields;
  isRight: boolean;
  /** Time of the answer by the device, in ms; null when the site's own time may count. */
  at: number | null;
}

const hourMs = 3_600_000;
/** Most entries of a call. A small number makes calls of devices alternate. */
const perCall = 40;

interface DeviceParts {
  /** Returns the addresses of the servers that run now. */
  servers: () => string[];
  learner: TestLearner;
  /** Tag of the learner in calls. */
  tag: string;
  questions: readonly Asked[];
  random: Random;
  given: Map<string, Given>;
  /** Counts what happened, by its name. */
  tally: Record<string, number>;
}

/** A device of a learner, with its outbox: as in `islands/offline`, an entry stays until a response has confirmed it. */
export class Device {
  readonly #parts: DeviceParts;
  readonly #outbox = new Map<string, OutboxEntry>();

  constructor(parts: DeviceParts) {
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#outbox.size;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#parts.random() * values.length)] as Value;
  }

  #happens(share: number): boolean {
    return this.#parts.random() < share;
  }

  #count(what: string): void {
    this.#parts.tally[what] = (this.#parts.tally[what] ?? 0) + 1;
  }

  /** Answers a random question at a time of the last three days, or first by the online call, whose response may be lost. */
  async answer(): Promise<void> {
    const { questions, learner, given, random } = this.#parts;
    const { id: question, item, inSeries, right, wrong } = this.#pick(questions);
    const isRight = this.#happens(0.6);
    const fields = isRight ? right : this.#pick(wrong);
    const cle = randomUUID();
    const le = Math.floor(Date.now() - random() * 72 * hourMs);
    const isOnline = !inSeries && this.#happens(0.05);
    given.set(cle, { cle, learner: learner.id, question, fields, isRight, at: isOnline ? null : le });
    if (isOnline && (await this.#call(`/api/questions/${question}/reponse`, { cle, ...fields }))?.juste !== undefined)
      return this.#count('online');
    this.#outbox.set(cle, { cle, type: 'lu', item, le, reponse: { question, ...fields } });
  }

  /** Sends entries from one tab, or the same ones from two at once. */
  async send(): Promise<void> {
    const entries = [...this.#outbox.values()].slice(0, perCall);
    if (entries.length === 0) return;
    const tabs = this.#happens(0.3) ? 2 : 1;
    if (tabs === 2) this.#count('two tabs at once');
    await Promise.all(Array.from({ length: tabs }, () => this.#sendOnce(entries)));
  }

  async #sendOnce(entrees: OutboxEntry[]): Promise<void> {
    const answer = await this.#call('/api/hors-ligne/marques', { learner: this.#parts.tag, entrees });
    for (const cle of answer?.prises ?? []) this.#outbox.delete(cle);
  }

  /** Returns the response; null without one: the connection is cut at a random time, or the server was killed. */
  async #call(path: string, body: object): Promise<{ juste?: boolean; prises?: string[] } | null> {
    const { servers, learner, random } = this.#parts;
    const cut = new AbortController();
    const timer = this.#happens(0.2) ? setTimeout(() => cut.abort(), random() * 40) : undefined;
    try {
      const origin = this.#pick(servers());
      const response = await fetch(origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: learner.session, origin },
        body: JSON.stringify(body),
        signal: AbortSignal.any([cut.signal, AbortSignal.timeout(20_000)]),
      });
      if (response.status >= 500) this.#count('refused for a moment');
      else if (!response.ok && response.status !== 429) throw new Refused(`${response.status} ${await response.text()}`);
      return response.ok ? ((await response.json()) as object) : null;
    } catch (error) {
      if (error instanceof Refused) throw error;
      this.#count('without response');
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The site refused a good call. */
class Refused extends Error {}
