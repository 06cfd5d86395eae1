import { UnreadableEquation } from './compound-file.ts';

const maxNameBytes = 300;
/** Option of a record that the author moved by a small offset. */
const NUDGED = 0x08;

/** Reads the values of an equation, one after the other. Reading behind the end throws a RangeError. */
export class Cursor {
  readonly bytes: Buffer;
  at = 0;
  /** Version of the format, which the first byte gives. */
  version = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  byte(): number {
    return this.bytes.readUInt8(this.at++);
  }

  word(): number {
    this.at += 2;
    return this.bytes.readUInt16LE(this.at - 2);
  }

  skip(count: number): void {
    this.at += count;
  }

  /** Reads an unsigned integer of version 5: one byte, or 255 and a word. */
  unsigned(): number {
    const value = this.byte();
    return value === 255 ? this.word() : value;
  }

  signed(): number {
    const value = this.byte();
    if (this.version === 5 && value === 255) return this.word() - 32_768;
    return value - 128;
  }

  /** Reads a text that ends with a zero byte. */
  text(): string {
    const end = this.bytes.indexOf(0, this.at);
    if (end === -1 || end - this.at > maxNameBytes) throw new UnreadableEquation('a name has no end');
    const text = this.bytes.toString('latin1', this.at, end);
    this.at = end + 1;
    return text;
  }

  /** Skips the small offset by which the author moved a record. */
  nudge(options: number): void {
    if (!(options & NUDGED)) return;
    const isSmall = this.byte() !== 128 || this.bytes[this.at] !== 128;
    this.at += isSmall ? 1 : 5;
  }
}
