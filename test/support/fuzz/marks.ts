import { type Random, seeded } from '../random.ts';

/**
 * Who may meet a mark: its owner, and staff from a rank on; nobody at all; or, in what is taught, those for whom the database says so at that moment
 * (content-access.ts).
 */
export type Audience = 'nobody' | 'content' | { owner?: string; staff?: 'admin' | 'superAdmin' };

export interface Mark {
  text: string;
  /** What it stands in, for whoever reads a finding. */
  about: string;
  audience: Audience;
}

/** No word of any language and no random text holds one by chance. Letters alone: names, addresses and titles take them, and no encoding changes them. */
const pattern = /zqj[a-z]{10}|(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/g;

/** The canaries: words planted into what belongs to somebody, each in one place only, and secrets that are recognised as they are. */
export class Marks {
  readonly #random: Random = seeded(20_261_123);
  readonly #all = new Map<string, Mark>();

  /** A new word to be written into what `audience` may see. */
  make(about: string, audience: Audience): string {
    const text = `zqj${Array.from({ length: 10 }, () => String.fromCharCode(97 + Math.floor(this.#random() * 26))).join('')}`;
    return this.add(text, about, audience);
  }

  /** A token or a hash that stands there already: 40 or 64 hexadecimal digits. */
  add(text: string, about: string, audience: Audience): string {
    this.#all.set(text, { text, about, audience });
    return text;
  }

  /** Those of what is taught. */
  taught(): string[] {
    return [...this.#all.values()].filter(({ audience }) => audience === 'content').map(({ text }) => text);
  }

  /** Each that occurs in `text`. */
  in(text: string): Mark[] {
    const found = new Set(text.toLowerCase().match(pattern));
    return [...found].flatMap((word) => this.#all.get(word) ?? []);
  }
}
