import { decodedTex } from './encoding.ts';

/** The files beside a TeX file, by their path in the archive. */
export class TexFiles {
  readonly #read: (name: string) => Buffer | null;
  /** Full paths by path and by base name, in lower case. */
  readonly #names = new Map<string, string>();

  /** @param read returns the bytes of a file; null when it is not there */
  constructor(names: readonly string[] = [], read: (name: string) => Buffer | null = () => null) {
    this.#read = read;
    for (const name of names) {
      const base = baseOf(name);
      if (!this.#names.has(base)) this.#names.set(base, name);
      this.#names.set(name.toLowerCase(), name);
    }
  }

  /** Returns the path of a file that a command names, with or without folder and one of the extensions; null when it is not there. */
  find(named: string, extensions: readonly string[]): string | null {
    const path = named
      .replaceAll(/^["']|["']$/g, '')
      .replace(/^\.\//, '')
      .toLowerCase();
    for (const name of [path, baseOf(path)])
      for (const extension of ['', ...extensions]) {
        const found = this.#names.get(name + extension);
        if (found !== undefined) return found;
      }
    return null;
  }

  bytes(name: string): Buffer | null {
    return this.#read(name);
  }

  /** Returns the text of a TeX file that a command names. */
  text(named: string): string | null {
    const name = this.find(named, ['.tex']);
    const bytes = name === null || !/\.(?:tex|ltx|txt)$/i.test(name) ? null : this.#read(name);
    return bytes && decodedTex(bytes).text;
  }
}

const baseOf = (path: string): string => (path.split('/').at(-1) ?? '').toLowerCase();
