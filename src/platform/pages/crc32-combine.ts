/**
 * Computes the CRC-32 of two concatenated texts from the CRC-32 of each (zlib's crc32_combine): multiplication by x^(8·length)
 * in GF(2)[x] modulo the CRC's polynomial, bits reflected.
 */

const polynomial = 0xedb88320;

/** Returns the operator for a first CRC that is followed by `length` bytes. Worth keeping for a text that is used often. */
export function combineOperator(length: number): number {
  let product = 1 << 31;
  let bits = length;
  // x^8, then its repeated squares, one for each bit of the length.
  let power = 1 << 23;
  while (bits > 0) {
    if (bits & 1) product = multiply(power, product);
    power = multiply(power, power);
    bits >>>= 1;
  }
  return product;
}

/** Returns the CRC-32 of both texts. @param operator `combineOperator(length of the second text)` */
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
