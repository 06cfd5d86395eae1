import type { Report } from '../texts/markdown/source-lines.ts';

export interface FrontMatter {
  readonly values: ReadonlyMap<string, { readonly value: string; readonly line: number }>;
  readonly body: string;
  /** The line of the file on which the body starts. */
  readonly bodyLine: number;
}

/**
 * Splits a text file into front matter and body, at its two `---` lines. Returns null, with the fault reported, when there is no
 * front matter.
 */
export function readFrontMatter(text: string, known: readonly string[], report: Report): FrontMatter | null {
  const lines = text.split('\n');
  if (lines[0]?.trimEnd() !== '---') {
    report(1, "L'en-tête manque : la première ligne doit être ---");
    return null;
  }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end === -1) {
    report(1, "L'en-tête n'est pas fermé par une ligne ---");
    return null;
  }
  const values = new Map<string, { value: string; line: number }>();
  for (let index = 1; index < end; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    const found = /^([a-z_]+):(.*)$/.exec(line);
    if (!found?.[1]) {
      report(index + 1, 'Une ligne de l\'en-tête s\'écrit "clé: valeur"');
      continue;
    }
    const key = found[1];
    if (!known.includes(key)) report(index + 1, `Clé inconnue : ${key} (clés possibles : ${known.join(', ')})`);
    else if (values.has(key)) report(index + 1, `La clé ${key} est déjà donnée à la ligne ${values.get(key)?.line}`);
    else values.set(key, { value: (found[2] ?? '').trim(), line: index + 1 });
  }
  return { values, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}
