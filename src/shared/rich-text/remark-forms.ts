/** The forms in which remarks on an import quote a text: written by the server, and read by the editor, which shows them beside it. */

/** Returns the beginning of a long text, for a remark. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).trimEnd()}...` : text);

/** Most characters of a paragraph's text that a place quotes. */
export const quotedBefore = 40;

const atStart = 'en début de paragraphe';

/** Returns a place in a document, in French. @param before the text before it in its paragraph */
export function placeAfter(before: string): string {
  const text = before.replaceAll(/\s+/g, ' ').trim();
  return text === '' ? atStart : `après « ${text.slice(-quotedBefore).trimStart()} »`;
}

/** Begins the remark on a formula that cannot be drawn; its excerpt follows, then the fault in brackets. */
export const unreadableFormula = 'Formule gardée telle quelle, à corriger : ';

/** Ends the remark on a question that cannot be asked; 'Question 3 : ' begins it. */
export const hiddenQuestion = "Elle n'est pas montrée aux candidats.";

/** Follows a quoted place that the author has settled, where the remark has others. */
const settledMark = ' (réglé)';

const afterPlaces = / ?après « (?<text>.+?) »(?<settled> \(réglé\))?(?=,| :)/g;

/** A passage that a remark speaks of. */
export type Passage =
  /** Something behind this text of a paragraph, or of its end. */
  | { kind: 'after'; text: string; settled: boolean }
  /** One of these texts, the likeliest first. */
  | { kind: 'written'; texts: readonly string[] }
  /** A formula whose excerpt the remark contains. */
  | { kind: 'formula' }
  /** The question with this number in the text, from 1. */
  | { kind: 'question'; number: number };

/** Shortest quoted text that is looked for without knowing more of its place, in characters. */
const leastWritten = 4;

/** Returns the passages that a remark speaks of, in its order; none for a remark on the whole document. */
export function passagesOf(remark: string): Passage[] {
  const places = [...remark.matchAll(afterPlaces)];
  if (places.length > 0) return places.map(({ groups }) => ({ kind: 'after', text: groups?.text ?? '', settled: !!groups?.settled }));
  if (remark.startsWith(unreadableFormula)) return [{ kind: 'formula' }];
  const question = remark.endsWith(hiddenQuestion) && /^Question (\d+) : /.exec(remark);
  if (question) return [{ kind: 'question', number: Number(question[1]) }];
  const [, retyped] = /, à retaper \((.+)\)\.$/.exec(remark) ?? [];
  if (retyped) return [{ kind: 'written', texts: [retyped] }];
  const [line, said = ''] = /^(?:Ligne|[^:]+, ligne) \d+ : (.*)$/s.exec(remark) ?? [];
  if (!line) return [];
  const parts = said.split(' : ');
  const texts = parts.slice(1).map((_, index) => parts.slice(index + 1).join(' : '));
  const long = texts.map((text) => text.replace(/(?:\.\.\.|…)$/, '')).filter((text) => text.length >= leastWritten);
  return long.length > 0 ? [{ kind: 'written', texts: long }] : [];
}

/** Returns whether a remark also speaks of a place that it does not quote. */
export const hasOtherPlaces = (remark: string): boolean => remark.includes(atStart) || /», …(?: :|,)/.test(remark);

/** Returns the remark once one of its passages is settled; null if nothing of it is left. @param index of the passage */
export function withoutPassage(remark: string, index: number): string | null {
  const passages = passagesOf(remark);
  const isLast = passages.every((passage, other) => other === index || (passage.kind === 'after' && passage.settled));
  if (isLast && !hasOtherPlaces(remark)) return null;
  let at = -1;
  return remark.replaceAll(afterPlaces, (place, _text, settled) => {
    at += 1;
    return at === index && !settled ? place + settledMark : place;
  });
}

/** Returns a remark as before any of its passages was settled. */
export const unsettled = (remark: string): string => remark.replaceAll(settledMark, '');

/** Returns a remark as it is shown beside one of its passages: without the other ones. */
export function besidePassage(remark: string): string {
  let count = 0;
  const short = remark.replaceAll(/(?:,? en début de paragraphe)|(?:,?(?: après « .+? »(?: \(réglé\))?)(?=,| :))|(?:, …(?= :|,))/g, () => {
    count += 1;
    return count === 1 ? '\0' : '';
  });
  return short.replace('\0', count === 1 ? ', ici' : ', ici et ailleurs');
}
