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

/**
 * Returns a function that does the same as `closeOf` for one text, in constant time after one pass over the text at its first call: a text
 * may have many braces that do not close.
 */
export function groupEnds(text: string): (from: number, longest: number) => number {
  let ends: Int32Array | undefined;
  return (from, longest) => {
    ends ??= allEnds(text);
    const end = ends[from] ?? -1;
    return end - from <= longest ? end : -1;
  };
}

/** Returns the offset of the closing brace for each offset of an opening one, -1 for the others. */
function allEnds(text: string): Int32Array {
  const ends = new Int32Array(text.length).fill(-1);
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '{') open.push(at);
    else if (sign === '}') {
      const from = open.pop();
      if (from !== undefined) ends[from] = at;
    }
  }
  return ends;
}
