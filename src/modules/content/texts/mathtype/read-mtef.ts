import { UnreadableEquation } from './compound-file.ts';
import { Cursor } from './cursor.ts';
import { ALIGNS, type CharRecord, type Equation, type FontStyle, type MtefRecord, type Slot } from './records.ts';
import { templateOf3 } from './templates3.ts';

/** Deepest nesting of records, and their maximum number. An ordinary equation nests about ten deep. */
const maxDepth = 60;
const maxRecords = 20_000;
/** Maximum number of fonts, colours and the like that one equation defines. */
const maxDefinitions = 1_000;

const [END, LINE, CHAR, TEMPLATE, PILE, MATRIX, EMBELLISHMENT, RULER, FONT, SIZE] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const [FULL, SUBSYMBOL, COLOUR, COLOUR_DEF, FONT_DEF, PREFERENCES, ENCODING_DEF, FUTURE] = [10, 14, 15, 16, 17, 18, 19, 100];

/**
 * Reads an equation in MTEF, version 3 (Equation Editor 3) or 5 (MathType 4 and later).
 * @throws UnreadableEquation when it has another version, is damaged, or is nested too deeply
 */
export function readMtef(bytes: Buffer): Equation {
  try {
    return new MtefReader(bytes).equation();
  } catch (error) {
    throw error instanceof RangeError ? new UnreadableEquation('the equation ends too early', { cause: error }) : error;
  }
}

class MtefReader {
  readonly #cursor: Cursor;
  #records = 0;
  #definitions = 0;
  /** Names of the fonts of version 5, in their order. */
  readonly #fontNames: string[] = [];
  /** Explicit fonts, by the negated typeface of their characters. */
  readonly #fonts = new Map<number, FontStyle>();
  /** Fonts of the typefaces, in their order. */
  #styles: (FontStyle | null)[] = [];

  constructor(bytes: Buffer) {
    this.#cursor = new Cursor(bytes);
  }

  equation(): Equation {
    this.#cursor.version = this.#cursor.byte();
    if (this.#cursor.version !== 3 && this.#cursor.version !== 5) throw new UnreadableEquation(`version ${this.#cursor.version}`);
    // Platform, product, and its version and subversion.
    this.#cursor.at += 4;
    let isInline: boolean | null = null;
    if (this.#cursor.version === 5) {
      this.#cursor.text();
      isInline = (this.#cursor.byte() & 1) === 1;
    }
    return { records: this.#contents(0, true).flatMap(({ slot, record }) => slot ?? record ?? []), isInline };
  }

  /** Reads records up to the end of their list. Only the list of the whole equation may lack its end. */
  #contents(depth: number, isWhole = false): Read[] {
    if (depth > maxDepth) throw new UnreadableEquation('nested too deeply');
    const read: Read[] = [];
    while (!(isWhole && this.#cursor.at >= this.#cursor.bytes.length)) {
      const tag = this.#cursor.byte();
      this.#records += 1;
      if (this.#records > maxRecords) throw new UnreadableEquation('too many records');
      const type = this.#cursor.version === 3 ? tag & 0x0f : tag;
      if (type === END) break;
      const found = this.#record(type, tag >> 4, depth);
      if (found) read.push(found);
    }
    return read;
  }

  #record(type: number, tagOptions: number, depth: number): Read | null {
    const hasOptions = this.#cursor.version === 5 && type >= LINE && type <= EMBELLISHMENT;
    const options = hasOptions ? this.#cursor.byte() : tagOptions;
    switch (type) {
      case LINE:
        return { slot: this.#line(options, depth) };
      case CHAR:
        return { record: this.#char(options, depth) };
      case TEMPLATE:
        return { record: this.#template(options, depth) };
      case PILE:
        return { record: this.#pile(options, depth) };
      case MATRIX:
        return { record: this.#matrix(options, depth) };
      case EMBELLISHMENT:
        this.#cursor.nudge(options);
        return { embellishment: this.#cursor.byte() };
      default:
        this.#definition(type);
        return null;
    }
  }

  /** Reads a record that stands for no content: a definition, a size, a colour. */
  #definition(type: number): void {
    if (type === RULER) this.#stops();
    else if (type === SIZE) this.#size();
    else if (type >= FULL && type <= SUBSYMBOL) return;
    else if (type === FONT) this.#font();
    else if (this.#cursor.version === 3) throw new UnreadableEquation(`record ${type}`);
    else if (type === COLOUR) this.#cursor.unsigned();
    else if (type === COLOUR_DEF) this.#colour();
    else if (type === FONT_DEF) this.#fontName();
    else if (type === PREFERENCES) this.#preferences();
    else if (type === ENCODING_DEF) this.#cursor.text();
    else if (type >= FUTURE) this.#cursor.skip(this.#cursor.unsigned());
    else throw new UnreadableEquation(`record ${type}`);
  }

  #line(options: number, depth: number): Slot {
    this.#cursor.nudge(options);
    if (options & 0x04) this.#cursor.at += 2;
    if (options & 0x02) this.#ruler();
    if (options & 0x01) return [];
    return recordsOf(this.#contents(depth + 1));
  }

  #char(options: number, depth: number): CharRecord {
    this.#cursor.nudge(options);
    const typeface = this.#cursor.signed();
    const isFive = this.#cursor.version === 5;
    const code = isFive && options & 0x20 ? null : this.#cursor.word();
    const position = isFive && options & 0x04 ? this.#cursor.byte() : isFive && options & 0x10 ? this.#cursor.word() : null;
    const isEmbellished = (options & (isFive ? 0x01 : 0x02)) !== 0;
    const embellishments = isEmbellished
      ? this.#contents(depth + 1).flatMap(({ embellishment }) => (embellishment === undefined ? [] : [embellishment]))
      : [];
    const font = (typeface < 0 ? this.#fonts.get(-typeface) : this.#styles[typeface - 1]) ?? null;
    return { type: 'char', typeface, code, position, startsFunction: isFive && (options & 0x02) !== 0, embellishments, font };
  }

  #template(options: number, depth: number): MtefRecord {
    this.#cursor.nudge(options);
    const [first, second] = [this.#cursor.byte(), this.#cursor.byte()];
    const isLong = this.#cursor.version === 5 && (second & 0x80) !== 0;
    const long = isLong ? (second & 0x7f) | (this.#cursor.byte() << 8) : second;
    // Its own options say only how brackets are centred.
    this.#cursor.at += 1;
    const [selector, variation] = this.#cursor.version === 5 ? [first, long] : (templateOf3(first, long) ?? [null, 0]);
    if (selector === null) throw new UnreadableEquation(`template ${first}.${long}`);
    const contents = this.#contents(depth + 1);
    return {
      type: 'template',
      selector,
      variation,
      slots: contents.flatMap(({ slot, record }) => (slot ? [slot] : record && record.type !== 'char' ? [[record]] : [])),
      chars: contents.flatMap(({ record }) => (record?.type === 'char' ? [record] : [])),
    };
  }

  #pile(options: number, depth: number): MtefRecord {
    this.#cursor.nudge(options);
    const align = ALIGNS[this.#cursor.byte()] ?? 'left';
    this.#cursor.at += 1;
    if (options & 0x02) this.#ruler();
    return { type: 'pile', align, lines: slotsOf(this.#contents(depth + 1)) };
  }

  #matrix(options: number, depth: number): MtefRecord {
    this.#cursor.nudge(options);
    this.#cursor.at += 1;
    const align = ALIGNS[this.#cursor.byte() + 1] ?? 'center';
    this.#cursor.at += 1;
    const [rows, columns] = [this.#cursor.byte(), this.#cursor.byte()];
    const [rowLines, columnLines] = [this.#partitions(rows + 1), this.#partitions(columns + 1)];
    return { type: 'matrix', align, columns: Math.max(1, columns), rowLines, columnLines, cells: slotsOf(this.#contents(depth + 1)) };
  }

  /** Reads lines between rows or columns: two bits each, in whole bytes. */
  #partitions(count: number): boolean[] {
    const start = this.#cursor.at;
    this.#cursor.at += Math.ceil(count / 4);
    return Array.from({ length: count }, (_, index) => {
      const byte = this.#cursor.bytes.readUInt8(start + Math.floor(index / 4));
      return ((byte >> (2 * (index % 4))) & 0x03) !== 0;
    });
  }

  /** Skips a ruler of a line or pile. Programs write it with or without its own tag. */
  #ruler(): void {
    if (this.#cursor.bytes[this.#cursor.at] === RULER && this.#areStops(this.#cursor.at + 1)) this.#cursor.at += 1;
    this.#stops();
  }

  #areStops(at: number): boolean {
    const count = this.#cursor.bytes.readUInt8(at);
    if (count === 0) return false;
    for (let index = 0; index < count; index += 1) if ((this.#cursor.bytes[at + 1 + 3 * index] ?? 255) > 4) return false;
    return true;
  }

  #stops(): void {
    this.#cursor.skip(3 * this.#cursor.byte());
  }

  #size(): void {
    const size = this.#cursor.byte();
    this.#cursor.at += size === 101 ? 2 : size === 100 ? 3 : 1;
  }

  #font(): void {
    this.#define();
    if (this.#cursor.version === 3) {
      const [typeface, style] = [this.#cursor.byte(), this.#cursor.byte()];
      this.#fonts.set(typeface, fontStyle(this.#cursor.text(), style));
      return;
    }
    const name = this.#fontNames[this.#cursor.unsigned() - 1] ?? '';
    this.#fonts.set(this.#fonts.size + 1, fontStyle(name, this.#cursor.byte()));
  }

  #fontName(): void {
    this.#define();
    this.#cursor.unsigned();
    this.#fontNames.push(this.#cursor.text());
  }

  #define(): void {
    this.#definitions += 1;
    if (this.#definitions > maxDefinitions) throw new UnreadableEquation('too many definitions');
  }

  #colour(): void {
    const options = this.#cursor.byte();
    this.#cursor.at += options & 0x01 ? 8 : 6;
    if (options & 0x04) this.#cursor.text();
  }

  /** Reads the sizes and distances, which are skipped, and the fonts of the typefaces. */
  #preferences(): void {
    this.#cursor.at += 1;
    this.#dimensions();
    this.#dimensions();
    const count = this.#cursor.byte();
    this.#styles = Array.from({ length: count }, () => {
      const font = this.#cursor.unsigned();
      return font === 0 ? null : fontStyle(this.#fontNames[font - 1] ?? '', this.#cursor.byte());
    });
  }

  /** Skips an array of dimensions: half bytes, up to one of 15 for each. */
  #dimensions(): void {
    let left = this.#cursor.byte();
    let halves = 0;
    for (; left > 0; halves += 1) {
      const byte = this.#cursor.bytes.readUInt8(this.#cursor.at + (halves >> 1));
      if ((halves % 2 === 0 ? byte >> 4 : byte & 0x0f) === 0x0f) left -= 1;
    }
    this.#cursor.at += Math.ceil(halves / 2);
  }
}

/** What one record of a list is: a line, other content, or an embellishment of a character. */
interface Read {
  readonly slot?: Slot;
  readonly record?: MtefRecord;
  readonly embellishment?: number;
}

const recordsOf = (read: readonly Read[]): MtefRecord[] => read.flatMap(({ slot, record }) => slot ?? record ?? []);

/** Returns the lines of a list; content outside of lines is a line of its own. */
const slotsOf = (read: readonly Read[]): Slot[] => read.flatMap(({ slot, record }) => (slot ? [slot] : record ? [[record]] : []));

const fontStyle = (name: string, style: number): FontStyle => ({ name, isBold: (style & 1) !== 0, isItalic: (style & 2) !== 0 });
