import JSZip from 'jszip';
import { type ImportedDocument, importDocument } from '../../src/modules/content/texts/worker/import-document.ts';
import { escapeHtml } from '../../src/shared/escapes.ts';
import { documentFromJson } from '../../src/shared/rich-text/document.ts';
import { serialise } from '../../src/shared/rich-text/serialise.ts';

const NAMESPACES = Object.entries({
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  c: 'http://schemas.openxmlformats.org/drawingml/2006/chart',
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  wps: 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
  w14: 'http://schemas.microsoft.com/office/word/2010/wordml',
  v: 'urn:schemas-microsoft-com:vml',
  o: 'urn:schemas-microsoft-com:office:office',
})
  .map(([prefix, address]) => ` xmlns:${prefix}="${address}"`)
  .join('');

const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Styles as a French Word writes them: English names, French ids. */
const STYLES = `
  <w:docDefaults><w:rPrDefault><w:rPr><w:color w:val="auto"/></w:rPr></w:rPrDefault></w:docDefaults>
  <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
  <w:style w:type="paragraph" w:styleId="Titre"><w:name w:val="Title"/></w:style>
  <w:style w:type="paragraph" w:styleId="Titre1"><w:name w:val="heading 1"/><w:rPr><w:b/><w:color w:val="2E74B5"/></w:rPr></w:style>
  <w:style w:type="paragraph" w:styleId="Titre2"><w:name w:val="heading 2"/><w:basedOn w:val="Titre1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Partie"><w:name w:val="Partie"/><w:basedOn w:val="Titre2"/></w:style>
  <w:style w:type="paragraph" w:styleId="Plan"><w:name w:val="Plan"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Lgende"><w:name w:val="caption"/><w:rPr><w:i/></w:rPr></w:style>
  <w:style w:type="paragraph" w:styleId="Citation"><w:name w:val="Quote"/><w:rPr><w:i/></w:rPr></w:style>
  <w:style w:type="paragraph" w:styleId="Code"><w:name w:val="HTML Preformatted"/></w:style>
  <w:style w:type="paragraph" w:styleId="Paragraphedeliste"><w:name w:val="List Paragraph"/><w:pPr><w:ind w:left="720"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Consigne"><w:name w:val="Consigne"/><w:pPr><w:jc w:val="both"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>
  <w:style w:type="paragraph" w:styleId="TM1"><w:name w:val="toc 1"/></w:style>
  <w:style w:type="character" w:styleId="Accentuation"><w:name w:val="Emphasis"/><w:rPr><w:i/><w:b/></w:rPr></w:style>
  <w:style w:type="character" w:styleId="Lien"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>
  <w:style w:type="table" w:styleId="Grille"><w:name w:val="Grid"/><w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>`;

const level = (depth: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>` +
  `<w:pPr><w:ind w:left="${720 * (depth + 1)}" w:hanging="360"/></w:pPr></w:lvl>`;

/** 1: decimal, then a); 2: bullets; 3: like 1, starting at 5; 4: headings; 5: words; 6: I., A), (i), 1.1; 7: like 6, its second level restarting at c. */
const NUMBERING = `
  <w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'decimal', '%3.')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="2">${level(0, 'bullet', '•')}${level(1, 'bullet', 'o')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="4">${level(0, 'upperRoman', '%1.')}${level(1, 'decimal', '%1.%2')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="5">${level(0, 'decimal', 'Exercice %1 :')}</w:abstractNum>
  <w:abstractNum w:abstractNumId="6">${level(0, 'upperRoman', '%1.')}${level(1, 'upperLetter', '%2)')}${level(2, 'lowerRoman', '(%3)')}${level(3, 'decimal', '%3.%4')}${level(4, 'decimal', '(%5)')}</w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
  <w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
  <w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
  <w:num w:numId="4"><w:abstractNumId w:val="4"/></w:num>
  <w:num w:numId="5"><w:abstractNumId w:val="5"/></w:num>
  <w:num w:numId="6"><w:abstractNumId w:val="6"/></w:num>
  <w:num w:numId="7"><w:abstractNumId w:val="6"/><w:lvlOverride w:ilvl="1"><w:startOverride w:val="3"/><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2."/></w:lvl></w:lvlOverride></w:num>`;

export interface DocxParts {
  /** Content of `w:body`. */
  readonly body: string;
  readonly footnotes?: string;
  readonly comments?: string;
  readonly header?: string;
  /** Files by name under `word/`, with `media/` for pictures. */
  readonly files?: Record<string, Buffer | string>;
  /** URLs by relationship id. */
  readonly links?: Record<string, string>;
  /** Parts by relationship id, such as `media/image1.png`. */
  readonly images?: Record<string, string>;
  readonly title?: string;
}

/** Returns a .docx file with these parts. */
export async function docx({ body, footnotes, comments, header, files = {}, links = {}, images = {}, title }: DocxParts): Promise<Buffer> {
  const zip = new JSZip();
  const part = (name: string, content: string) => `<?xml version="1.0" encoding="UTF-8"?><w:${name}${NAMESPACES}>${content}</w:${name}>`;
  const beside: [string, string, string | undefined][] = [
    ['styles', part('styles', STYLES), STYLES],
    ['numbering', part('numbering', NUMBERING), NUMBERING],
    ['footnotes', part('footnotes', footnotes ?? ''), footnotes],
    ['comments', part('comments', comments ?? ''), comments],
    ['header', part('hdr', header ?? ''), header],
  ];
  const relation = (id: string, type: string, target: string, mode = '') =>
    `<Relationship Id="${id}" Type="${R}/${type}" Target="${escapeHtml(target)}"${mode}/>`;
  let relations = '';
  for (const [name, xml, present] of beside) {
    if (present === undefined) continue;
    zip.file(`word/${name}.xml`, xml);
    relations += relation(name, name, `${name}.xml`);
  }
  for (const [id, target] of Object.entries(links)) relations += relation(id, 'hyperlink', target, ' TargetMode="External"');
  for (const [id, target] of Object.entries(images)) relations += relation(id, 'image', target);
  const core =
    '<Relationship Id="c" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>';
  const rels = (content: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;
  zip.file('_rels/.rels', rels(relation('d', 'officeDocument', 'word/document.xml') + (title ? core : '')));
  zip.file('word/document.xml', part('document', `<w:body>${body}<w:sectPr/></w:body>`));
  zip.file('word/_rels/document.xml.rels', rels(relations));
  if (title) zip.file('docProps/core.xml', `<cp xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp>`);
  for (const [name, content] of Object.entries(files)) zip.file(`word/${name}`, content);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** Returns a paragraph; `properties` are inserted into its `w:pPr`. */
export const p = (content: string, properties = '') => `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
/** Returns a run of text; `properties` are inserted into its `w:rPr`. */
export const r = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
export const style = (id: string) => `<w:pStyle w:val="${id}"/>`;
export const item = (text: string, numId: number, depth = 0) =>
  p(r(text), `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${numId}"/></w:numPr>`);

/** Returns an inline picture as Word writes it, `width` CSS pixels wide. */
export const picture = (id: string, { alt = '', width = 100, more = '' } = {}) =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="${width * 9525}" cy="9525"/><wp:docPr id="1" name="Image" descr="${alt}"/>` +
  `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="a"/></pic:nvPicPr>` +
  `<pic:blipFill><a:blip r:embed="${id}"/>${more}</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

/** Imports a file; each picture is stored as `/media/a.webp`, 400 by 200. */
export const imported = async (parts: DocxParts | Buffer): Promise<ImportedDocument> =>
  importDocument(Buffer.isBuffer(parts) ? parts : await docx(parts), async () => ({ src: '/media/a.webp', width: 400, height: 200 }));

/** Returns a text as HTML, with formulas as `[latex]`. */
export const htmlOf = (json: unknown): string =>
  serialise(documentFromJson(json), {
    formula: (latex, display) => escapeHtml(display ? `[[${latex}]]` : `[${latex}]`),
    code: escapeHtml,
  }).replaceAll(
    / (?:data-latex|tabindex|role|aria-label|loading|decoding|scope|class="(?:formula(?:-block)?|table-scroll)")(?:="[^"]*")?/g,
    '',
  );
