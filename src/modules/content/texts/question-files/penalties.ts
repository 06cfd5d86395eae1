import type { Marking } from './file-questions.ts';

/** Collects the points of a file's wrong answers: the same for all questions with one right choice, they are the series' marking rule. */
export class Penalties {
  readonly #found: { name: string; wrong: number; unanswered: number }[] = [];

  /** @param wrong points of a wrong answer for a question of one point */
  add(name: string, wrong: number, unanswered = 0): void {
    this.#found.push({ name, wrong: Math.round(wrong * 10_000) / 10_000, unanswered });
  }

  get marking(): Marking | null {
    const [first] = this.#found;
    if (!first || this.#isMixed() || (first.wrong >= 0 && first.unanswered === 0)) return null;
    return { right: 1, wrong: first.wrong, unanswered: first.unanswered };
  }

  /** Names the questions that take points away, when they are no rule for all. */
  get remarks(): string[] {
    if (!this.#isMixed()) return [];
    return this.#found
      .filter(({ wrong }) => wrong < 0)
      .map(
        ({ name, wrong }) =>
          `${name} : une mauvaise réponse enlevait ${String(-wrong).replace('.', ',')} point. Ce retrait n'est pas repris.`,
      );
  }

  #isMixed(): boolean {
    const [first, ...others] = this.#found;
    return others.some(({ wrong, unanswered }) => wrong !== first?.wrong || unanswered !== first.unanswered);
  }
}
