import { DOMParser } from '@xmldom/xmldom';
import type { AppError } from '../../../../platform/errors.ts';
import { elementsOf } from '../../../../shared/omml/xml.ts';
import { tooComplex, unreadableWord } from '../refusal.ts';

export { elementsOf };

/** Deepest nesting of elements: the reader recurses once per level. */
const maxDepth = 300;
/** Maximum number of elements of one part, about 200 pages. */
const maxElements = 200_000;
/** Maximum number of attributes of one element: the parser compares each attribute with all earlier ones. */
const maxAttributes = 300;

const PREFIXES: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main': 'w',
  'http://purl.oclc.org/ooxml/wordprocessingml/main': 'w',
  'http://schemas.openxmlformats.org/officeDocument/2006/math': 'm',
  'http://purl.oclc.org/ooxml/officeDocument/math': 'm',
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r',
  'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing': 'wp',
  'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing': 'wp',
  'http://schemas.openxmlformats.org/drawingml/2006/main': 'a',
  'http://purl.oclc.org/ooxml/drawingml/main': 'a',
  'http://schemas.openxmlformats.org/drawingml/2006/picture': 'pic',
  'http://purl.oclc.org/ooxml/drawingml/picture': 'pic',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'urn:schemas-microsoft-com:vml': 'v',
  'urn:schemas-microsoft-com:office:office': 'o',
  'urn:oasis:names:tc:opendocument:xmlns:office:1.0': 'office',
  'urn:oasis:names:tc:opendocument:xmlns:style:1.0': 'style',
  'urn:oasis:names:tc:opendocument:xmlns:text:1.0': 'text',
  'urn:oasis:names:tc:opendocument:xmlns:table:1.0': 'table',
  'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0': 'draw',
  'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0': 'fo',
  'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0': 'svg',
  'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0': 'manifest',
  'urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0': 'loext',
  'http://www.w3.org/1999/xlink': 'xlink',
  'http://www.w3.org/1998/Math/MathML': 'math',
  'http://purl.org/dc/elements/1.1/': 'dc',
};

/** Returns an element's name with the usual prefix of its namespace, whichever prefix the file uses. */
export function nameOf(node: Node): string {
  const { namespaceURI, localName } = node as Element;
  const prefix = namespaceURI ? PREFIXES[namespaceURI] : undefined;
  return prefix ? `${prefix}:${localName}` : node.nodeName;
}

/**
 * Parses one part of a document, or another XML file.
 * @param unreadable returns the error for bytes that are not XML, or that declare entities
 * @throws AppError 400 when the bytes are not XML, declare entities, or are too large or too deeply nested
 */
export function parseXml(bytes: Buffer, unreadable: (cause?: unknown) => AppError = unreadableWord): Document {
  const source = decode(bytes, unreadable);
  // Nested entities can expand to gigabytes. No word processor declares any.
  const markup = withoutSections(source);
  if (markup === null) throw unreadable();
  if (/<!(?:DOCTYPE|ENTITY)/i.test(markup)) throw unreadable();
  refuseMany(markup);
  let fault: unknown = null;
  const keep = (message: unknown): void => {
    fault ??= message;
  };
  const parser = new DOMParser({ errorHandler: { warning: () => {}, error: keep, fatalError: keep } });
  let document: Document | undefined;
  try {
    document = parser.parseFromString(source, 'text/xml');
  } catch (error) {
    throw unreadable(error);
  }
  if (fault !== null || !document?.documentElement) throw unreadable(fault);
  refuseDepth(document.documentElement);
  return document;
}

/** Returns XML without its CDATA sections, whose text declares nothing and nests nothing; null when one has no end. */
function withoutSections(source: string): string | null {
  let markup = '';
  let done = 0;
  for (let at = source.indexOf('<![CDATA['); at !== -1; at = source.indexOf('<![CDATA[', done)) {
    const end = source.indexOf(']]>', at);
    if (end === -1) return null;
    markup += source.slice(done, at);
    done = end + 3;
  }
  return markup + source.slice(done);
}

function decode(bytes: Buffer, unreadable: (cause?: unknown) => AppError): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true })
      .decode(bytes)
      .replace(/^\uFEFF/, '')
      .replace(/^\s*<\?xml[^>]*\?>/, '');
  } catch (error) {
    throw unreadable(error);
  }
}

/** Refuses a source whose parsing would take too long: the parser's time grows with the square of the depth. */
function refuseMany(source: string): void {
  let tags = 0;
  let depth = 0;
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', at + 1)) {
    tags += 1;
    const end = source.indexOf('>', at);
    if (end === -1) return;
    if (source[at + 1] === '/') depth -= 1;
    else if (source[end - 1] !== '/' && /[a-z_]/i.test(source[at + 1] ?? '')) depth += 1;
    if (depth > maxDepth) throw tooComplex();
    const isLong = end - at > maxAttributes * 4;
    if (tags > maxElements * 2 || (isLong && source.slice(at, end).split('="').length > maxAttributes)) throw tooComplex();
  }
}

function refuseDepth(root: Element): void {
  let depth = 0;
  let node: Node | null = root;
  while (node) {
    if (node.firstChild) {
      node = node.firstChild;
      depth += 1;
      if (depth > maxDepth) throw tooComplex();
      continue;
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      depth -= 1;
    }
    if (node === root) return;
    node = node?.nextSibling ?? null;
  }
}

export const child = (parent: Node | null | undefined, name: string): Element | undefined =>
  elementsOf(parent).find((element) => nameOf(element) === name);

/** Returns the descendants with one of these names, in document order. */
export function descendants(parent: Element, ...names: string[]): Element[] {
  return Array.from(parent.getElementsByTagName('*')).filter((element) => names.includes(nameOf(element)));
}

/** Returns an attribute by its usual name, whichever prefix the file uses. */
export function attribute(element: Element | undefined, name: string): string | null {
  if (!element) return null;
  for (const found of Array.from(element.attributes)) if (nameOf(found) === name || found.name === name) return found.value;
  return null;
}

/** Returns the value of a property such as `w:jc`; null when it is missing or has no value. */
export const settingOf = (properties: Element | undefined, name: string): string | null => attribute(child(properties, name), 'w:val');

/** Returns whether a property is on or off; undefined when it is missing. */
export function switchOf(properties: Element | undefined, name: string): boolean | undefined {
  const element = child(properties, name);
  if (!element) return undefined;
  return !/^(?:0|off|false|none)$/.test(attribute(element, 'w:val') ?? '');
}
