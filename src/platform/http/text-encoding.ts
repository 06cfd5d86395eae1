import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How a text travels that is compressed here and not on its way out. */
export type TextEncoding = 'br' | 'gzip' | 'identity';

const accepted = {
  br: /(?:^|[,\s])(?:br|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  gzip: /(?:^|[,\s])(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
};

/** Whether a request takes an encoding; a weight of 0 refuses it. */
export function acceptsEncoding(header: string | string[] | undefined, encoding: keyof typeof accepted): boolean {
  return accepted[encoding].test(String(header ?? ''));
}

/** The smallest of those that a request takes. */
export const encodingFor = (header: string | string[] | undefined): TextEncoding =>
  (['br', 'gzip'] as const).find((name) => acceptsEncoding(header, name)) ?? 'identity';

const smallest = constants.BROTLI_MAX_QUALITY;

/** @param quality Brotli's: by default as small as it goes, which takes a second for a megabyte */
export async function encodeText(text: string, encoding: TextEncoding, quality = smallest): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return promisify(brotliCompress)(text, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
        },
      });
    case 'gzip':
      return promisify(gzip)(text, { level: 9 });
    case 'identity':
      return Buffer.from(text);
  }
}
