import t from 'tap';
import { plainPng } from '../../../../../test/support/hostile-images.ts';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { type Random, seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { imported } from '../../../../../test/support/word-file.ts';
import { differences, type Written } from '../../../../../test/support/written-source.ts';
import { letter, roman } from '../../../../shared/rich-text/list-labels.ts';

// Random pages: the generator lists what it writes, and each of these things is in the item or named in the report.

const data = `data:image/png;base64,${plainPng(4, 2).toString('base64')}`;
/** HTML of formulas, and their LaTeX. */
const FORMULAS: readonly (readonly [string, string])[] = [
  ['<math><mi>x</mi></math>', 'x'],
  ['<math display="block"><mfrac><mn>1</mn><mi>n</mi></mfrac></math>', '\\frac{1}{n}'],
  ['<script type="math/tex">u_n</script>', 'u_n'],
  [
    '<span class="katex"><math><semantics><mi>a</mi><annotation encoding="application/x-tex">a^2</annotation></semantics></math></span>',
    'a^2',
  ],
  ['<mjx-container><svg></svg><mjx-assistive-mml><math><msqrt><mi>b</mi></msqrt></math></mjx-assistive-mml></mjx-container>', '\\sqrt{b}'],
];
const LABELS: Readonly<Record<string, (number: number) => string>> = {
  '': (n) => `${n}.`,
  a: (n) => `${letter(n).toLowerCase()}.`,
  A: (n) => `${letter(n)}.`,
  i: (n) => `${roman(n).toLowerCase()}.`,
  I: (n) => `${roman(n)}.`,
};

class Source {
  readonly written: Written = { words: [], absent: [], formulas: [], cells: [], labels: [], pictures: 0 };
  /** Pictures that are not in the file. */
  readonly missing: string[] = [];
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  page(): string {
    const body = this.#times(1, 8, () => this.#block());
    return `<!DOCTYPE html><html><head><style>.${this.#absent()} { color: red }</style></head><body class="doc">${body}</body></html>`;
  }

  #below = (limit: number): number => Math.floor(this.#random() * limit);
  #times = (least: number, most: number, make: () => string): string =>
    Array.from({ length: least + this.#below(most - least + 1) }, make).join('');
  #pick<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }

  #word(): string {
    this.#count += 1;
    const word = `mot${this.#count}${this.#pick(['é', 'x', 'œ'])}z`;
    this.written.words.push(word);
    return word;
  }

  #absent(): string {
    this.#count += 1;
    const word = `absent${this.#count}z`;
    this.written.absent.push(word);
    return word;
  }

  #block(): string {
    switch (this.#below(8)) {
      case 0: {
        const level = 2 + this.#below(5);
        return `<h${level}>${this.#word()}</h${level}>`;
      }
      case 1:
      case 2:
        return this.#list(0);
      case 3:
        return this.#table();
      case 4:
        return `<script>document.write("${this.#absent()}")</script><!-- ${this.#absent()} -->`;
      case 5:
        return `<div><div>${this.#inlines()}</div></div>`;
      default:
        return `<p style="text-align:${this.#pick(['left', 'center'])}">${this.#inlines()}</p>`;
    }
  }

  #inlines(): string {
    return this.#times(1, 5, () => this.#inline());
  }

  #inline(): string {
    const space = this.#pick([' ', '\n', '&nbsp;', '<br>', '']);
    switch (this.#below(7)) {
      case 0: {
        const tag = this.#pick(['b', 'em', 'u', 's', 'sup', 'span']);
        return `<${tag} class="c1">${this.#word()}</${tag}>${space}`;
      }
      case 1: {
        const [html, latex] = this.#pick(FORMULAS);
        this.written.formulas.push(latex);
        return html + space;
      }
      case 2:
        return this.#picture() + space;
      case 3:
        return `<a href="https://exemple.cm/" onclick="${this.#absent()}">${this.#word()}</a>${space}`;
      case 4:
        return `<span style="display:none">${this.#absent()}</span>`;
      default:
        return this.#word() + space;
    }
  }

  #picture(): string {
    const kind = this.#below(3);
    if (kind === 2) {
      const name = `a_files/image${this.missing.length}.png`;
      this.missing.push(name);
      return `<img src="${name}">`;
    }
    if (this.written.pictures >= 30) return '';
    this.written.pictures += 1;
    return `<img src="${kind === 0 ? data : 'https://exemple.cm/a.png'}" width="40" height="20">`;
  }

  #list(depth: number): string {
    const type = this.#pick(Object.keys(LABELS));
    const isBullets = this.#random() < 0.3;
    const start = this.#random() < 0.3 ? 1 + this.#below(40) : 1;
    let number = start - 1;
    const items = this.#times(1, 4, () => {
      number += 1;
      const word = this.#word();
      this.written.labels.push([word, isBullets ? '•' : (LABELS[type]?.(number) ?? '')]);
      const content = `${word}${this.#pick(['', ' '])}${this.#random() < 0.3 ? `<i>${this.#word()}</i>` : ''}`;
      return `<li>${this.#random() < 0.5 ? `<p>${content}</p>` : content}${depth < 2 && this.#random() < 0.3 ? this.#list(depth + 1) : ''}</li>`;
    });
    if (isBullets) return `<ul>${items}</ul>`;
    return `<ol${type && ` type="${type}"`}${start === 1 ? '' : ` start="${start}"`}>${items}</ol>`;
  }

  #table(): string {
    const columns = 1 + this.#below(4);
    const cell = (more = ''): string => {
      const word = this.#word();
      this.written.cells.push(word);
      return `<td${more}>${this.#random() < 0.5 ? `<p>${word}</p>` : word}</td>`;
    };
    const row = (): string =>
      this.#random() < 0.2 ? cell(` colspan="${columns}"`) : Array.from({ length: columns }, () => cell()).join('');
    return `<table>${this.#times(1, 4, () => `<tr>${row()}</tr>`)}</table>`;
  }
}

t.test('each word, formula, cell, label and picture of a random page is in the item, or named', async (t) => {
  const first = seedOfRun();
  t.comment(`SEED=${first}`);
  const runs = isLongForm ? 2_000 : 200;
  let words = 0;
  for (let seed = first; seed < first + runs; seed += 1) {
    const source = new Source(seeded(seed));
    const page = source.page();
    const read = await imported(encoded(page, seed));
    const faults = differences(source.written, read);
    const named = read.remarques.join('\n');
    for (const name of source.missing) if (!named.includes(name)) faults.push(`missing picture: ${name}`);
    if (faults.length > 0) t.fail(`SEED=${seed}: ${faults.join('; ')}\n${page.replaceAll(data, 'DATA')}`);
    words += source.written.words.length;
  }
  t.ok(words > runs * 3, 'the pages hold words');
});

/** Returns a page in UTF-8, or in UTF-16 with its mark. */
function encoded(page: string, seed: number): Buffer {
  return seed % 3 === 0 ? Buffer.from(`\uFEFF${page}`, 'utf16le') : Buffer.from(page);
}
