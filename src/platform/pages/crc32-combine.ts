/**
 * The CRC-32 of two texts laid end to end, from the CRC-32 of each (zlib's crc32_combine): multiplication by x^(8·length)
 * in GF(2)[x] modulo the CRC's polynomial, bits reflected.
 */

const polynomial = 0xedb88320;

/** What has to be applied to the first CRC when `length` bytes follow; worth keeping when the same text follows often. */
export function combineOperator(length: number): number {
  let product = 1 << 31;
  let bits = length;
  // x^8, then its squares: one for each bit of the length.
  let power = 1 << 23;
  while (bits > 0) {
    if (bits & 1) product = multiply(power, product);
    power = multiply(power, power);
    bits >>>= 1;
  }
  return product;
}

/** @param operator `combineOperator(length of the second text)` */
export function combineCrc32(first: number, second: number, operator: number): number {
  return (multiply(operator, first) ^ second) >>> 0;
}

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 1 << 31; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ polynomial : factor >>> 1;
  }
  return product;
}
