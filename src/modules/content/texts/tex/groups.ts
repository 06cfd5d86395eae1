/** Returns the offset of the brace that closes the one at `from`; -1 when there is none within `longest` characters. */
export function closeOf(text: string, from: number, longest: number): number {
  let depth = 0;
  for (let at = from; at < text.length && at - from <= longest; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '{') depth += 1;
    else if (sign === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}
