import JSZip from 'jszip';

const NAMESPACES = Object.entries({
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  style: 'urn:oasis:names:tc:opendocument:xmlns:style:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  fo: 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
  svg: 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0',
  chart: 'urn:oasis:names:tc:opendocument:xmlns:chart:1.0',
  meta: 'urn:oasis:names:tc:opendocument:xmlns:meta:1.0',
  xlink: 'http://www.w3.org/1999/xlink',
  math: 'http://www.w3.org/1998/Math/MathML',
  dc: 'http://purl.org/dc/elements/1.1/',
  loext: 'urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0',
})
  .map(([prefix, address]) => ` xmlns:${prefix}="${address}"`)
  .join('');

const number = (level: number, format: string, before: string, behind: string, more = '') =>
  `<text:list-level-style-number text:level="${level}" style:num-format="${format}" style:num-prefix="${before}" style:num-suffix="${behind}"${more}/>`;

/** Automatic styles of the text: emphasis, alignment, lists. */
const AUTOMATIC = `
  <style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:style style:name="I" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>
  <style:style style:name="U" style:family="text"><style:text-properties style:text-underline-style="solid"/></style:style>
  <style:style style:name="S" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>
  <style:style style:name="Sup" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
  <style:style style:name="Sub" style:family="text"><style:text-properties style:text-position="-33% 58%"/></style:style>
  <style:style style:name="Red" style:family="text"><style:text-properties fo:color="#ff0000" fo:background-color="#ffff00"/></style:style>
  <style:style style:name="Hid" style:family="text"><style:text-properties text:display="none"/></style:style>
  <style:style style:name="Plain" style:family="text"><style:text-properties fo:font-weight="normal"/></style:style>
  <style:style style:name="PC" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:text-align="center" fo:break-before="page"/></style:style>
  <style:style style:name="PB" style:family="paragraph" style:parent-style-name="Standard"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:style style:name="PI" style:family="paragraph" style:parent-style-name="Standard"><style:paragraph-properties fo:margin-left="2.54cm"/></style:style>
  <style:style style:name="Wide" style:family="table-column"><style:table-column-properties style:column-width="12cm"/></style:style>
  <style:style style:name="Thin" style:family="table-column"><style:table-column-properties style:column-width="3cm"/></style:style>
  <text:list-style style:name="L1">${number(1, '1', '', '.')}${number(2, 'a', '', ')')}${number(3, 'i', '(', ')')}${number(4, 'I', '', '.')}</text:list-style>
  <text:list-style style:name="L2"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/><text:list-level-style-bullet text:level="2" text:bullet-char="o"/></text:list-style>
  <text:list-style style:name="L3">${number(1, '1', '(', ')', ' text:start-value="5"')}${number(2, '1', '', '', ' text:display-levels="2"')}</text:list-style>
  <text:list-style style:name="L4">${number(1, '1', 'Exercice ', ' :')}</text:list-style>
  <text:list-style style:name="L5">${number(1, 'A', '', '.')}${number(2, 'a', '(', ')')}</text:list-style>
  <text:list-style style:name="L6">${number(1, '', '', '')}</text:list-style>`;

/** Styles that LibreOffice's templates have. */
const COMMON = `
  <style:default-style style:family="paragraph"><style:text-properties fo:color="#000000"/></style:default-style>
  <style:style style:name="Standard" style:family="paragraph"/>
  <style:style style:name="Heading" style:family="paragraph" style:parent-style-name="Standard"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph" style:parent-style-name="Heading"/>
  <style:style style:name="Title" style:family="paragraph" style:parent-style-name="Heading"/>
  <style:style style:name="Quotations" style:family="paragraph"><style:text-properties fo:font-style="italic"/></style:style>
  <style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text" style:family="paragraph"/>
  <style:style style:name="Caption" style:family="paragraph"/>
  <style:style style:name="Figure" style:family="paragraph" style:parent-style-name="Caption"/>
  <style:style style:name="Horizontal_20_Line" style:display-name="Horizontal Line" style:family="paragraph"><style:paragraph-properties fo:border-bottom="1pt solid #808080"/></style:style>
  <style:style style:name="Strong_20_Emphasis" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>
  <style:style style:name="Source_20_Text" style:family="text"/>`;

interface OdtParts {
  /** Content of `office:text`. */
  readonly body: string;
  /** Levels of the numbering of headings. */
  readonly outline?: string;
  readonly footer?: string;
  readonly title?: string;
  /** Formulas as content of `math`, by name; the text refers to them with `formula`. */
  readonly formulas?: Record<string, string>;
  /** Other files by their name. */
  readonly files?: Record<string, Buffer | string>;
  readonly mimetype?: string;
}

/** Returns an .odt file with these parts. */
export async function odt({ body, outline = '', footer, title, formulas = {}, files = {}, mimetype }: OdtParts): Promise<Buffer> {
  const zip = new JSZip();
  const part = (name: string, content: string) =>
    `<?xml version="1.0" encoding="UTF-8"?><office:${name}${NAMESPACES}>${content}</office:${name}>`;
  zip.file('mimetype', mimetype ?? 'application/vnd.oasis.opendocument.text', { compression: 'STORE' });
  zip.file(
    'content.xml',
    part(
      'document-content',
      `<office:automatic-styles>${AUTOMATIC}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body>`,
    ),
  );
  const master = footer
    ? `<office:master-styles><style:master-page style:name="Standard"><style:footer><text:p>${footer}</text:p></style:footer></style:master-page></office:master-styles>`
    : '';
  zip.file(
    'styles.xml',
    part(
      'document-styles',
      `<office:styles>${COMMON}<text:outline-style style:name="Outline">${outline}</text:outline-style></office:styles>${master}`,
    ),
  );
  if (title) zip.file('meta.xml', part('document-meta', `<office:meta><dc:title>${title}</dc:title></office:meta>`));
  for (const [name, math] of Object.entries(formulas))
    zip.file(`${name}/content.xml`, `<?xml version="1.0"?><math xmlns="http://www.w3.org/1998/Math/MathML">${math}</math>`);
  for (const [name, content] of Object.entries(files)) zip.file(name, content);
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

export const p = (content: string, style = '') => `<text:p${style && ` text:style-name="${style}"`}>${content}</text:p>`;
export const h = (content: string, level = 1) => `<text:h text:style-name="Heading_20_1" text:outline-level="${level}">${content}</text:h>`;
export const span = (content: string, style: string) => `<text:span text:style-name="${style}">${content}</text:span>`;
export const list = (items: string, style = '', more = '') =>
  `<text:list${style && ` text:style-name="${style}"`}${more}>${items}</text:list>`;
export const item = (content: string, start?: number) =>
  `<text:list-item${start === undefined ? '' : ` text:start-value="${start}"`}>${content}</text:list-item>`;
export const cell = (content: string, more = '') => `<table:table-cell${more}>${content}</table:table-cell>`;
export const row = (cells: string, more = '') => `<table:table-row${more}>${cells}</table:table-row>`;
export const table = (rows: string) => `<table:table>${rows}</table:table>`;
export const formula = (name: string) => `<draw:frame text:anchor-type="as-char"><draw:object xlink:href="./${name}"/></draw:frame>`;
/** Returns a picture, `width` centimetres wide. */
export const picture = (href: string, { alt = '', width = 2.54 } = {}) =>
  `<draw:frame svg:width="${width}cm"><draw:image xlink:href="${href}"/>${alt && `<svg:desc>${alt}</svg:desc>`}</draw:frame>`;
export const note = (text: string) =>
  `<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${p(text)}</text:note-body></text:note>`;
