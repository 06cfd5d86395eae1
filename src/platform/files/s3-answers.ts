/**
 * Reads the XML responses of an S3 store by searching for the protocol's few element names. Every store writes these without prefix and
 * attributes, and our own keys contain no characters that XML escapes.
 */

interface ListedFile {
  key: string;
  modified: Date;
  size: number;
}

/** Parses one page of a listing. @throws Error for any other text */
export function readListing(xml: string): { files: ListedFile[]; next: string | null } {
  if (!/<\/ListBucketResult>\s*$/.test(xml)) throw new Error('no listing');
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: textOf(entry, 'Key') ?? '',
    modified: new Date(textOf(entry, 'LastModified') ?? Number.NaN),
    size: Number(textOf(entry, 'Size')),
  }));
  const next = textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : null;
  if (textOf(xml, 'IsTruncated') === 'true' && !next) throw new Error('a listing that does not say how it goes on');
  return { files, next };
}

/** Returns the first key that a deletion failed for, and the reason; null if all were deleted. @throws Error for any other text */
export function readDeletion(xml: string): { key: string; code: string } | null {
  if (!/<\/DeleteResult>\s*$|<DeleteResult[^>]*\/>\s*$/.test(xml)) throw new Error('no answer to a deletion');
  const fault = textOf(xml, 'Error');
  return fault === null ? null : { key: textOf(fault, 'Key') ?? '', code: textOf(fault, 'Code') ?? '' };
}

export const deletionOf = (keys: readonly string[]): string =>
  `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join('')}</Delete>`;

/** Returns the store's error code, such as AccessDenied; null if the response has none. */
export const errorCodeOf = (xml: string): string | null => /<Code>(\w{1,60})<\/Code>/.exec(xml)?.[1] ?? null;

/** Returns the text of the first element with this name. */
function textOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1];
  return text === undefined ? null : text.replaceAll(/&(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);/gi, unescaped);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(whole: string, name: string): string {
  if (!name.startsWith('#')) return named[name.toLowerCase()] ?? whole;
  return String.fromCodePoint(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
}
