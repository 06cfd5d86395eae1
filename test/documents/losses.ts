import type { Counts } from './counts.ts';

/** Counts of a document before and after, and the losses that were reported. */
export interface Measured {
  readonly file: string;
  readonly source: Counts;
  readonly result: Counts;
  /** Notes shown to the author, and documented rules of the conversion. */
  readonly said: readonly string[];
}

export interface Loss {
  readonly what: string;
  readonly lost: number;
  /** The sentence that reports the loss; null when it was not reported. */
  readonly reason: string | null;
}

const total = (items: Counts['listItems']): number => Object.values(items).reduce((sum, count) => sum + count, 0);

interface Aspect {
  readonly what: string;
  readonly column: string;
  readonly lost: (source: Counts, result: Counts) => number;
  /** Matches sentences about this kind of content. */
  readonly about: RegExp;
  /** Whether the sentences contain numbers; characters of emphasis are never reported by number. */
  readonly counted: boolean;
}

const simple = (key: Exclude<keyof Counts, 'listItems' | 'text'>, what: string, column: string, about: RegExp, counted = true): Aspect => ({
  what,
  column,
  lost: (source, result) => source[key] - result[key],
  about,
  counted,
});

const aspects: readonly Aspect[] = [
  simple('headings', 'titres', 'titres', /titre/i),
  {
    what: 'éléments de liste',
    column: 'listes',
    lost: ({ listItems: source }, { listItems: result }) => {
      const missing = total(source) - total(result);
      const moved = Object.entries(source).reduce((sum, [depth, count]) => sum + Math.max(0, count - (result[Number(depth)] ?? 0)), 0);
      return Math.max(missing, moved);
    },
    about: /liste|niveau|numéroté/i,
    counted: true,
  },
  simple('cells', 'cellules', 'cellules', /cellule|tableau/i),
  simple('images', 'images', 'images', /image|dessin|pixel/i),
  simple('links', 'liens', 'liens', /lien|sommaire/i),
  simple('emphasis', 'caractères en évidence', 'évidence', /évidence|masqué|mise en forme/i, false),
  simple('equations', 'équations', 'équations', /équation|formule/i),
  {
    what: 'caractères',
    column: 'texte',
    lost: (source, result) => (source.text ?? 0) - (result.text ?? 0),
    about: /texte|champ|menu|commentaire|masqué|dessin|objet|sommaire/i,
    counted: false,
  },
];

/** Matches a sentence about a heading that has left the text. */
const titled = /^Le premier titre, « (.*) », est devenu le titre/;

/** Returns the losses of a document, with the reported reason; a loss that is only partly explained has none. */
export function lossesOf({ source, result, said }: Measured): Loss[] {
  return aspects.flatMap(({ what, lost, about, counted }) => {
    const missing = lost(source, result);
    if (missing <= 0) return [];
    const titles = what === 'caractères' ? said.filter((sentence) => titled.test(sentence)) : [];
    const moved = titles.reduce((sum, sentence) => sum + (titled.exec(sentence)?.[1] ?? '').replaceAll(/\s/g, '').length, 0);
    if (titles.length > 0 && missing <= moved) return [{ what, lost: missing, reason: titles.join(' ') }];
    const reasons = said.filter((sentence) => about.test(sentence));
    const explained = reasons.reduce((sum, sentence) => sum + Number(/\d+/.exec(sentence)?.[0] ?? 1), 0);
    const isNamed = reasons.length > 0 && (!counted || explained >= missing);
    return [{ what, lost: missing, reason: isNamed ? reasons.join(' ') : null }];
  });
}

export const columns: readonly string[] = aspects.map(({ column }) => column);

/** Returns `3` for an unchanged count, `3→2` for a changed one. */
export function cells({ source, result }: Measured): string[] {
  const write = (counts: Counts, what: string): string => {
    if (what !== 'listItems') return String(counts[what as Exclude<keyof Counts, 'listItems'>] ?? '');
    const levels = Object.entries(counts.listItems);
    return levels.length === 0 ? '0' : levels.map(([depth, count]) => `${depth}:${count}`).join(' ');
  };
  return ['headings', 'listItems', 'cells', 'images', 'links', 'emphasis', 'equations', 'text'].map((what) => {
    const [before, after] = [write(source, what), write(result, what)];
    return before === after || before === '' ? before : `${before}→${after}`;
  });
}

/** Formats rows as a table with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
