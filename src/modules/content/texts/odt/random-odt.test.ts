import t from 'tap';
import { plainPng } from '../../../../../test/support/hostile-images.ts';
import { isLongForm } from '../../../../../test/support/long-form.ts';
import { cell, formula, h, item, list, note, odt, p, picture, row, span, table } from '../../../../../test/support/odt-file.ts';
import { type Random, seeded, seedOfRun } from '../../../../../test/support/random.ts';
import { imported } from '../../../../../test/support/word-file.ts';
import { differences, type Written } from '../../../../../test/support/written-source.ts';
import { letter, roman } from '../../../../shared/rich-text/list-labels.ts';

// Random texts: the generator lists what it writes, and each of these things is in the item or named in the report.

/** MathML of LibreOffice, and its LaTeX. */
const FORMULAS: readonly (readonly [string, string])[] = [
  ['<mi>x</mi>', 'x'],
  ['<mfrac><mn>1</mn><mi>n</mi></mfrac>', '\\frac{1}{n}'],
  ['<semantics><msqrt><mi>a</mi></msqrt><annotation encoding="StarMath 5.0">sqrt a</annotation></semantics>', '\\sqrt{a}'],
  ['<msub><mi>u</mi><mi>n</mi></msub>', 'u_{n}'],
  ['<mover accent="true"><mi>v</mi><mo stretchy="false">⃗</mo></mover>', '\\vec{v}'],
];

/** Labels of the list styles of the test's files, by depth. */
const LABELS: Readonly<Record<string, readonly ((number: number) => string)[]>> = {
  L1: [(n) => `${n}.`, (n) => `${letter(n).toLowerCase()})`, (n) => `(${roman(n).toLowerCase()})`, (n) => `${roman(n)}.`],
  L2: [() => '•', () => '•'],
  L5: [(n) => `${letter(n)}.`, (n) => `(${letter(n).toLowerCase()})`],
};

class Source {
  readonly written: Written = { words: [], absent: [], formulas: [], cells: [], labels: [], pictures: 0 };
  readonly formulas: Record<string, string> = {};
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  body(): string {
    return this.#times(1, 8, () => this.#block());
  }

  #below = (limit: number): number => Math.floor(this.#random() * limit);
  #times = (least: number, most: number, make: () => string): string =>
    Array.from({ length: least + this.#below(most - least + 1) }, make).join('');
  #pick<T>(values: readonly T[]): T {
    return values[this.#below(values.length)] as T;
  }

  #word(): string {
    this.#count += 1;
    const word = `mot${this.#count}${this.#pick(['é', 'x', 'œ', "d'"])}z`;
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
    switch (this.#below(9)) {
      case 0:
        return h(this.#word(), 1 + this.#below(7));
      case 1:
      case 2:
        return this.#list();
      case 3:
        return this.#table();
      case 4:
        return `<text:section>${p(this.#inlines())}</text:section>`;
      case 5:
        return p(`<draw:frame><draw:text-box>${p(this.#inlines())}</draw:text-box></draw:frame>${this.#word()}`);
      case 6:
        return `<text:tracked-changes><text:changed-region><text:deletion>${p(this.#absent())}</text:deletion></text:changed-region></text:tracked-changes>`;
      default:
        return p(this.#inlines(), this.#pick(['', 'PC', 'PI', 'PB', 'Quotations', 'Standard']));
    }
  }

  #inlines(): string {
    return this.#times(1, 5, () => this.#inline());
  }

  #inline(): string {
    const space = this.#pick([' ', '<text:s/>', '<text:tab/>', '<text:line-break/>', '']);
    switch (this.#below(8)) {
      case 0:
        return span(this.#word() + space, this.#pick(['B', 'I', 'U', 'S', 'Sup', 'Sub', 'Red']));
      case 1: {
        const [math, latex] = this.#pick(FORMULAS);
        const name = `Object ${this.written.formulas.push(latex)}`;
        this.formulas[name] = math;
        return formula(name) + space;
      }
      case 2:
        if (this.written.pictures >= 30) return this.#word();
        this.written.pictures += 1;
        return picture('Pictures/a.png') + space;
      case 3:
        return note(this.#word()) + space;
      case 4:
        return `<text:a xlink:href="https://exemple.cm/">${this.#word()}</text:a>${space}`;
      case 5:
        return span(this.#word(), 'B') + span(this.#word(), 'I');
      default:
        return this.#word() + space;
    }
  }

  #list(): string {
    const style = this.#pick(Object.keys(LABELS));
    return this.#level(style, 0);
  }

  #level(style: string, depth: number): string {
    let number = 0;
    const items = this.#times(1, 4, () => {
      const start = this.#random() < 0.15 ? 1 + this.#below(30) : undefined;
      number = start ?? number + 1;
      const word = this.#word();
      this.written.labels.push([word, LABELS[style]?.[depth]?.(number) ?? '']);
      const deeper = LABELS[style]?.[depth + 1] && this.#random() < 0.4 ? this.#level(style, depth + 1) : '';
      const further = this.#random() < 0.2 ? p(this.#word()) : '';
      return item(p(word + (this.#random() < 0.3 ? span(this.#word(), 'I') : this.#pick(['', ' ']))) + further + deeper, start);
    });
    return list(items, depth === 0 ? style : '');
  }

  #table(): string {
    const columns = 1 + this.#below(4);
    const cells = (): string =>
      Array.from({ length: columns }, () => {
        const word = this.#word();
        this.written.cells.push(word);
        return cell(p(word));
      }).join('');
    const wide = (): string => {
      const word = this.#word();
      this.written.cells.push(word);
      return cell(p(word), ` table:number-columns-spanned="${columns}"`) + '<table:covered-table-cell/>'.repeat(columns - 1);
    };
    return table(this.#times(1, 4, () => row(this.#random() < 0.2 ? wide() : cells())));
  }
}

t.test('each word, formula, cell, label and picture of a random text is in the item, or named', async (t) => {
  const first = seedOfRun();
  t.comment(`SEED=${first}`);
  const png = plainPng(4, 2);
  const runs = isLongForm ? 2_000 : 200;
  let things = 0;
  for (let seed = first; seed < first + runs; seed += 1) {
    const source = new Source(seeded(seed));
    const body = source.body();
    const read = await imported(await odt({ body, formulas: source.formulas, files: { 'Pictures/a.png': png } }));
    const faults = differences(source.written, read);
    if (faults.length > 0) t.fail(`SEED=${seed}: ${faults.join('; ')}\n${body}`);
    things += source.written.words.length;
  }
  t.ok(things > runs * 5, 'the texts hold words');
});
