import { maxDocumentBytes } from './forms/item-rules.ts';
import { storedZip } from './write-zip.ts';

/** A file that is dropped or found beside others. */
export interface FileBeside {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  bytes(): Promise<Uint8Array>;
}

/** A TeX document with the files that it names. */
export interface TexDocument<Beside extends FileBeside> {
  readonly main: Beside;
  readonly parts: readonly Beside[];
}

const INPUTS = /\\(?:input|include|subfile)(?![A-Za-z])[ \t]*(?:\{([^{}\n]{1,200})\}|([\w./-]{1,200}))/g;
const PICTURE = /\.(?:png|jpe?g|gif|webp|svg|bmp|tiff?|emf|wmf|pdf|eps)$/i;
/** Most files of one document. */
const maxParts = 200;
/** Bytes of an archive for each file, besides its content. */
const overhead = 1_000;

export const isTexName = (name: string): boolean => /\.(?:tex|ltx)$/i.test(name);

const baseOf = (name: string): string => (name.split('/').at(-1) ?? '').toLowerCase();
const stemOf = (name: string): string => baseOf(name).replace(/\.[^.]*$/, '');

/**
 * Finds the TeX documents among files: those that no other one reads, each with the texts that it reads and the pictures that it names.
 * A document with its parts is at most `maxDocumentBytes` large; what is beyond is left out.
 */
export async function texDocuments<Beside extends FileBeside>(files: readonly Beside[]): Promise<TexDocument<Beside>[]> {
  const texts = new Map<Beside, string>();
  // Names and commands are ASCII; the encoding does not matter.
  for (const file of files)
    if (isTexName(file.name) && file.size <= maxDocumentBytes) texts.set(file, new TextDecoder('latin1').decode(await file.bytes()));
  const byName = new Map([...texts.keys()].map((file) => [baseOf(file.name), file]));
  const inputsOf = (file: Beside): Beside[] =>
    [...(texts.get(file) ?? '').matchAll(INPUTS)].flatMap(([, braced, bare]) => {
      const name = baseOf((braced ?? bare ?? '').trim());
      const input = byName.get(name) ?? byName.get(`${name}.tex`);
      return input && input !== file ? [input] : [];
    });
  const read = new Set([...texts.keys()].flatMap(inputsOf));
  // Files that read each other are documents, rather than none of them.
  const mains = [...texts.keys()].filter((file) => !read.has(file) || inputsOf(file).some((input) => inputsOf(input).includes(file)));
  return mains.map((main) => ({ main, parts: partsOf(main, files, texts, inputsOf) }));
}

function partsOf<Beside extends FileBeside>(
  main: Beside,
  files: readonly Beside[],
  texts: ReadonlyMap<Beside, string>,
  inputsOf: (file: Beside) => Beside[],
): Beside[] {
  const read = new Set([main]);
  for (const file of read) for (const input of inputsOf(file)) read.add(input);
  const source = [...read].map((file) => texts.get(file)?.toLowerCase() ?? '').join('\n');
  const pictures = files.filter(({ name }) => PICTURE.test(name) && source.includes(latin1(stemOf(name))));
  let left = maxDocumentBytes - main.size - 2 * overhead;
  const parts: Beside[] = [];
  for (const file of [...[...read].slice(1), ...pictures]) {
    if (file.size + overhead > left || parts.length >= maxParts) continue;
    left -= file.size + overhead;
    parts.push(file);
  }
  return parts;
}

/** Returns a name as a decoder of Latin-1 sees its UTF-8. */
const latin1 = (name: string): string =>
  /^[ -~]*$/.test(name) ? name : new TextDecoder('latin1').decode(new TextEncoder().encode(name)).toLowerCase();

/** Returns what is sent to the server: the file itself, or an archive of it and its parts. */
export async function texBundle({ main, parts }: TexDocument<FileBeside>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await main.bytes();
  if (parts.length === 0) return new Uint8Array(bytes);
  const files = [{ name: main.name, bytes }];
  for (const part of parts) files.push({ name: part.name, bytes: await part.bytes() });
  return storedZip(files);
}
