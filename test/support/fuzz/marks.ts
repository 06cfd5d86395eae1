import { type Random, seeded } from '../random.ts';

/**
 * Accounts that may see a mark: its owner, and staff with at least this role. 'nobody': no account. 'content': accounts that have access to
 * this catalogue content according to the database at that moment (content-access.ts).
 */
export type Audience = 'nobody' | 'content' | { owner?: string; staff?: 'admin' | 'superAdmin' };

export interface Mark {
  text: string;
  /** Description of the marked content, for findings. */
  about: string;
  audience: Audience;
}

/**
 * Does not occur by chance in words or random texts. Letters only, so that names, addresses and titles accept it and no encoding changes
 * it.
 */
const pattern = /zqj[a-z]{10}|(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/g;

/** Canaries: unique words planted into data with an owner, and existing secrets. */
export class Marks {
  readonly #random: Random = seeded(20_261_123);
  readonly #all = new Map<string, Mark>();

  /** Returns a new word, to be written into data that only `audience` may see. */
  make(about: string, audience: Audience): string {
    const text = `zqj${Array.from({ length: 10 }, () => String.fromCharCode(97 + Math.floor(this.#random() * 26))).join('')}`;
    return this.add(text, about, audience);
  }

  /** Adds an existing token or hash: 40 or 64 hexadecimal digits. */
  add(text: string, about: string, audience: Audience): string {
    this.#all.set(text, { text, about, audience });
    return text;
  }

  /** Returns the marks in catalogue content. */
  taught(): string[] {
    return [...this.#all.values()].filter(({ audience }) => audience === 'content').map(({ text }) => text);
  }

  /** Returns the marks that occur in `text`. */
  in(text: string): Mark[] {
    const found = new Set(text.toLowerCase().match(pattern));
    return [...found].flatMap((word) => this.#all.get(word) ?? []);
  }
}
