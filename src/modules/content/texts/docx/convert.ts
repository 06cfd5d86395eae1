import JSZip from 'jszip';
import { parseHTML } from 'linkedom';
import mammoth from 'mammoth';
import { counted, type Remarks } from '../remarks.ts';
import { escapeXml, type Findings, noFindings } from './findings.ts';
import { Numbering } from './numbering.ts';
import { WordPackage } from './package.ts';
import { Simplifier } from './simplify.ts';
import { Styles } from './styles.ts';
import { attribute, child, elementsOf, nameOf } from './xml.ts';

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

export interface Converted {
  /** What mammoth has made of the text, with marks in it for what is in `findings`. */
  readonly root: Element;
  readonly findings: Findings;
  readonly word: WordPackage;
  /** The title among the properties of the file. */
  readonly coreTitle: string | null;
}

/** The text of a .docx file as HTML. @throws AppError 400 */
export async function convertDocx(bytes: Buffer, remarks: Remarks): Promise<Converted> {
  const word = new WordPackage(bytes);
  const { parts, findings } = simplified(word, remarks);
  const { value, messages } = await mammoth.convertToHtml(
    { buffer: await packed(parts, findings) },
    {
      includeDefaultStyleMap: false,
      includeEmbeddedStyleMap: false,
      ignoreEmptyParagraphs: false,
      styleMap: [
        'p => p:fresh',
        'u => u',
        ...[...findings.looks].map(([name, tags]) => `highlight[color='${name}'] => ${tags.join(' > ')}`),
      ],
    },
  );
  const symbols = messages.filter(({ message }) => message.includes('w:sym')).length;
  if (symbols > 0)
    remarks.count(
      'symbols',
      (n) => `${counted(n, 'caractère')} d'une police de symboles sans équivalent : à retaper dans le texte.`,
      symbols,
    );
  nameParts(word, remarks);
  const root: Element = parseHTML(`<!doctype html><html><body>${value}</body></html>`).document.body;
  return { root, findings, word, coreTitle: coreTitle(word) };
}

/** The parts that mammoth is to read. */
function simplified(word: WordPackage, remarks: Remarks): { parts: Map<string, string>; findings: Findings } {
  const styles = new Styles(word.part('styles')?.document ?? null);
  const numbering = new Numbering(word.part('numbering')?.document ?? null, styles);
  const findings = noFindings();
  const sources = (['footnote', 'endnote'] as const).map((kind) => ({ kind, part: word.part(`${kind}s`) }));
  const notes = sources.flatMap(({ kind, part }) =>
    elementsOf(part?.document.documentElement)
      .filter((note) => nameOf(note) === `w:${kind}` && !/separator|notice/i.test(attribute(note, 'w:type') ?? ''))
      .map((note) => ({ kind, note, id: attribute(note, 'w:id') ?? '', name: part?.name ?? '' })),
  );
  const around = { styles, numbering, findings, remarks, notes: new Set(notes.map(({ kind, id }) => `${kind} ${id}`)) };
  const body = child(word.xml(word.main)?.documentElement, 'w:body');
  const parts = new Map<string, string>();
  parts.set(
    'word/document.xml',
    root('document', `<w:body>${body ? new Simplifier(around, word.relationshipsOf(word.main)).container(body) : ''}</w:body>`),
  );
  for (const { kind, part } of sources) {
    if (!part) continue;
    const simplifier = new Simplifier(around, word.relationshipsOf(part.name));
    const own = notes.filter((note) => note.kind === kind);
    parts.set(
      `word/${kind}s.xml`,
      root(`${kind}s`, own.map(({ id, note }) => `<w:${kind} w:id="${escapeXml(id)}">${simplifier.container(note)}</w:${kind}>`).join('')),
    );
  }
  return { parts, findings };
}

const root = (name: string, content: string): string => `<w:${name} xmlns:w="${W}" xmlns:r="${R}">${content}</w:${name}>`;

async function packed(parts: ReadonlyMap<string, string>, { links }: Findings): Promise<Buffer> {
  const zip = new JSZip();
  zip.file(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
  );
  zip.file('_rels/.rels', relationships([['d', 'officeDocument', 'word/document.xml', false]]));
  const targets = [...links].map(([address, id]) => [id, 'hyperlink', address, true] as const);
  for (const [name, xml] of parts) {
    zip.file(name, xml);
    const base = name.slice('word/'.length);
    const beside =
      base === 'document.xml'
        ? ([
            ['f', 'footnotes', 'footnotes.xml', false],
            ['n', 'endnotes', 'endnotes.xml', false],
          ] as const)
        : [];
    zip.file(`word/_rels/${base}.rels`, relationships([...beside.filter(([, , target]) => parts.has(`word/${target}`)), ...targets]));
  }
  return zip.generateAsync({ type: 'nodebuffer', compression: 'STORE' });
}

function relationships(all: readonly (readonly [id: string, type: string, target: string, isExternal: boolean])[]): string {
  const written = all.map(
    ([id, type, target, isExternal]) =>
      `<Relationship Id="${id}" Type="${R}/${type}" Target="${escapeXml(target)}"${isExternal ? ' TargetMode="External"' : ''}/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${written.join('')}</Relationships>`;
}

/** What stands beside the text. */
function nameParts(word: WordPackage, remarks: Remarks): void {
  const comments = elementsOf(word.part('comments')?.document.documentElement).filter((element) => nameOf(element) === 'w:comment').length;
  if (comments > 0) remarks.count('comments', (n) => `${counted(n, 'commentaire')} de relecture, sans place ici.`, comments);
  const edges = [...word.partsOf('header'), ...word.partsOf('footer')].filter(
    (name) => (word.xml(name)?.documentElement.textContent ?? '').trim() !== '',
  );
  if (edges.length > 0) remarks.say("L'en-tête et le pied de page ont été laissés de côté.");
}

function coreTitle(word: WordPackage): string | null {
  const name = [...word.relationshipsOf('').values()].find(({ type }) => type === 'core-properties')?.target;
  const properties = name === undefined ? null : word.xml(name);
  const title = elementsOf(properties?.documentElement)
    .find(({ localName }) => localName === 'title')
    ?.textContent?.trim();
  return title || null;
}
