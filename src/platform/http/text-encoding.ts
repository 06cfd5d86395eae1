import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Encoding of a text that is compressed in advance instead of per response. */
export type TextEncoding = 'br' | 'gzip' | 'identity';

const accepted = {
  br: /(?:^|[,\s])(?:br|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  gzip: /(?:^|[,\s])(?:gzip|\*)(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
};

/** Returns whether a request accepts an encoding; a weight of 0 (`q=0`) refuses it. */
export function acceptsEncoding(header: string | string[] | undefined, encoding: keyof typeof accepted): boolean {
  return accepted[encoding].test(String(header ?? ''));
}

/** Returns the encoding with the smallest result among those that the request accepts. */
export const encodingFor = (header: string | string[] | undefined): TextEncoding =>
  (['br', 'gzip'] as const).find((name) => acceptsEncoding(header, name)) ?? 'identity';

const smallest = constants.BROTLI_MAX_QUALITY;

/** Returns the encoded text. @param quality Brotli's; the default gives the smallest result and takes about a second per megabyte */
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
