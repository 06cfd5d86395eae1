// The written forms of questions in French documents: numbers, letters of choices, answers, explanations. Text only.

const GAP = '[\\s\\ufffc]';
/** Signs that authors put beside the right choice. */
export const SIGN = '(?:\\*+|[✓✔✅☑☒←]|\\((?:x|vrai|vraie|juste|exacte?|correcte?|bonne réponse)\\)|\\[x\\])';

/** A label before a choice: `a)`, `(a)`, `A.`, `a/`, `A -`, `1)`, with or without a sign or an empty box before it. */
const LABEL = new RegExp(
  `^\\s*(?<sign>${SIGN}|[☐□○])?\\s*(?:(?<open>[([])\\s?)?(?<name>[A-Ta-t]|\\d{1,2})\\s?(?<close>[)\\]]|[./:°-](?=${GAP}|$)|\\s?[-–—](?=${GAP}))\\s*`,
  'u',
);

export interface Label {
  /** From 0 on. */
  readonly index: number;
  readonly isLetter: boolean;
  readonly isUpper: boolean;
  readonly close: string;
  /** Length of the label with the blanks around it, in characters. */
  readonly length: number;
  /** Whether a sign of the right choice stands before the label. */
  readonly isSigned: boolean;
}

/** Returns the label at the start of a choice; null when there is none. */
export function labelOf(text: string): Label | null {
  const found = LABEL.exec(text);
  const { name, close = '', open, sign } = found?.groups ?? {};
  if (!found || !name || (open && !/[)\]]/.test(close))) return null;
  const isLetter = /\p{L}/u.test(name);
  const index = isLetter ? name.toLowerCase().charCodeAt(0) - 97 : Number(name) - 1;
  const isSigned = sign !== undefined && !/[☐□○]/.test(sign);
  return { index, isLetter, isUpper: isLetter && name === name.toUpperCase(), close: close.trim(), length: found[0].length, isSigned };
}

/** Returns whether a label comes directly after another one of the same form. */
export const follows = (next: Label, last: Label): boolean =>
  next.index === last.index + 1 && next.isLetter === last.isLetter && next.isUpper === last.isUpper && next.close === last.close;

/** Returns the offsets at which labels a, b, c stand in order, at line starts or behind blanks; none for fewer than two. */
export function labelChain(text: string): number[] {
  // Within a line, a sign with a blank behind it belongs to the choice before it.
  const places = new RegExp(
    `(?:(?<=^|\\n)\\s*(?:${SIGN}\\s?)?|(?<=${GAP})(?:${SIGN})?)[([]?[A-Ta-t]\\s?(?:[)\\]]|[.:/-](?=${GAP})|\\s[-–—](?=${GAP}))`,
    'gu',
  );
  let chain: { at: number; label: Label }[] = [];
  for (const { index: at } of text.matchAll(places)) {
    const label = labelOf(text.slice(at));
    if (!label) continue;
    const last = chain.at(-1);
    const isLineStart = /(?:^|\n)\s*$/.test(text.slice(0, at));
    // Within a line only a bracket, or a capital with a period, is clear enough.
    if (!isLineStart && !/[)\]]/.test(label.close) && !(label.isUpper && /^[.:-]$/.test(label.close))) continue;
    if (last && follows(label, last.label)) chain.push({ at, label });
    else if (chain.length < 2 && (label.index === 0 || isLineStart)) chain = [{ at, label }];
  }
  return chain.length < 2 ? [] : chain.map(({ at }) => at);
}

const ANSWER_WORDS =
  '(?:(?:la|les)\\s+)?(?:(?:bonnes?|justes?|exactes?|correctes?)\\s+)?(?:r[ée]p(?:onses?|\\.)?|solutions?|answers?|corrigé|correction|clé)\\s*(?:\\(s\\))?\\s*(?:(?:bonnes?|justes?|exactes?|correctes?|attendues?|vraies?)\\s*)?(?:\\(s\\))?';
const ANSWER = new RegExp(
  `^\\s*(?:[→⇒➔]|=>|->)?\\s*(?:${ANSWER_WORDS}\\s*(?:(?:est|sont)\\s*(?:(?:la|les)\\s*)?)?[:=→–-]|${ANSWER_WORDS}\\s(?:(?:est|sont)\\s(?:(?:la|les)\\s)?)?(?=[A-Ta-t](?![\\p{L}'’]))|R\\s*[:=])\\s*`,
  'iu',
);
const EXPLANATION =
  /^\s*(?:explications?|justifications?|commentaires?|correction|corrigé|solution|solution détaillée|remarques?|rappels?|pourquoi)\s*(?::|$|\.\s)\s*/iu;

/** Returns the length of the words before an answer ('Réponse : '); null when a line is no answer. */
export const answerWords = (text: string): number | null => ANSWER.exec(text)?.[0].length ?? null;
/** Returns the length of the words before an explanation; null when a line is none. */
export const explanationWords = (text: string): number | null => EXPLANATION.exec(text)?.[0].length ?? null;

/** Returns offsets of answers and explanations written behind the last choice, or behind an answer, in the same paragraph. */
export function tailStarts(text: string, lastLabel: number | null): number[] {
  const first = answerWords(text);
  const from = lastLabel ?? first;
  if (from === null) return [];
  const starts = new RegExp(`(?<=\\s)(?=(?:${ANSWER_WORDS}|explications?|justifications?)\\s*:)`, 'giu');
  const found: number[] = [];
  starts.lastIndex = from;
  for (let match = starts.exec(text); match; match = starts.exec(text)) {
    if (match.index > 0) found.push(match.index);
    // 'Bonnes réponses :' is one start, not two.
    const rest = text.slice(match.index);
    starts.lastIndex = match.index + (answerWords(rest) ?? explanationWords(rest) ?? 1);
  }
  return found;
}

const WORD_START =
  /^\s*(?:(?:question|qcm|quest\.?)\s*(?:n\s*[°ºo]\.?\s*)?|q\s?(?=\d))(?<number>\d{1,3})\s*(?:\/\s*\d{1,3})?\s*(?:[.):\]–—-]+|(?=\s|$|\ufffc|\())\s*|^\s*question\s*[:.]\s*/iu;
const NUMBER_START = /^\s*(?<number>\d{1,3})\s?(?:[.)°]+\)?|[-–—/](?=\s))\s*(?=[\s\ufffc\p{L}«"“(¿]|$)/u;
const POINTS = /^\s*[([]\s*(?<points>\d{1,3}(?:[.,]\d{1,2})?)\s*(?:points?|pts?\.?)\s*[)\]]\s*[.:–-]?\s*/iu;

export interface Start {
  readonly number: number | null;
  /** Whether it says 'Question' or the like, not only a number. */
  readonly isWord: boolean;
  readonly points: number | null;
  /** Length of the label, in characters. */
  readonly length: number;
}

/** Returns the label with which a question starts; null when a line starts none. */
export function startOf(text: string): Start | null {
  const word = WORD_START.exec(text);
  const found = word ?? NUMBER_START.exec(text);
  if (!found) return null;
  const { number } = found.groups ?? {};
  const points = POINTS.exec(text.slice(found[0].length));
  return {
    number: number === undefined ? null : Number(number),
    isWord: word !== null,
    points: points ? Number(points.groups?.points?.replace(',', '.')) : null,
    length: found[0].length + (points?.[0].length ?? 0),
  };
}

/**
 * Returns the choices that an answer names ('b, d', 'B et D', 'BD', '2'), and the text behind them.
 * @param count number of choices
 */
export function lettersIn(text: string, count: number): { indexes: number[]; length: number } | null {
  const compact = /^\s*([A-T]{2,8}|[a-t]{2,8})(?![\p{L}'’])/u.exec(text);
  if (compact?.[1]) {
    const indexes = [...compact[1].toLowerCase()].map((letter) => letter.charCodeAt(0) - 97);
    if (indexes.every((at, order) => at < count && at > (indexes[order - 1] ?? -1))) return { indexes, length: compact[0].length };
  }
  const indexes: number[] = [];
  let length = 0;
  // Letters or numbers, not both: behind 'c, 2' the next answer begins.
  const name = /^\s*[([«"]?\s*(?:réponse\s+)?\d/iu.test(text) ? '\\d{1,2}' : '[A-Ta-t]';
  const one = new RegExp(
    `^\\s*(?<between>(?:[,;/+&–-]|et|ou|and)\\s*)?[([«"]?\\s*(?:réponse\\s+)?(?<name>${name})(?![\\p{L}\\d'’])\\s*(?:[)\\]»"]|\\.(?=\\s|$))?`,
    'iu',
  );
  for (let found = one.exec(text); found?.groups?.name; found = one.exec(text.slice(length))) {
    const { between, name: choice } = found.groups;
    const index = /\d/.test(choice) ? Number(choice) - 1 : choice.toLowerCase().charCodeAt(0) - 97;
    if (index < 0 || index >= count) break;
    // 'b a' without a separator is a letter and the next word.
    if (indexes.length > 0 && !between && !/^\s*[A-T](?:\s|$|[).])/.test(text.slice(length))) break;
    if (!indexes.includes(index)) indexes.push(index);
    length += found[0].length;
  }
  return indexes.length === 0 ? null : { indexes: indexes.sort((a, b) => a - b), length };
}

const TRUE_FALSE = /^[\s(]*(?:[☐□○☑☒*]\s*)?vrai[\s]*(?:\/|\||–|-|—|,|\bou\b|\s)\s*(?:[☐□○☑☒*]\s*)?faux\s*\*?[\s.)?]*$/iu;
/** Returns whether a line offers 'Vrai' and 'Faux' and nothing else. */
export const offersTrueFalse = (text: string): boolean => TRUE_FALSE.test(text);

const SEVERAL =
  /plusieurs\s+(?:bonnes\s+)?(?:réponses|choix|propositions|solutions|affirmations|assertions)|une\s+ou\s+plusieurs|choix\s+multiples?|\b(?:la|le)\s+ou\s+les\b|coche[rz]\s+(?:les|toutes)/iu;
const ONE =
  /une\s+seule\s+(?:bonne\s+)?(?:réponse|proposition|affirmation|assertion)|choix\s+unique|(?:choisi|coche|entoure)\S*\s+la\s+(?:bonne\s+)?(?:réponse|proposition)/iu;

/** Returns whether a text says that one choice is right, or that several may be; null when it says neither. */
export const saidKind = (text: string): 'one' | 'several' | null => (SEVERAL.test(text) ? 'several' : ONE.test(text) ? 'one' : null);

const CUE = /\bqcm\b|choix\s+(?:multiples?|unique)|coche[rz]|(?:bonnes?|mauvaises?)\s+réponses?|parmi\s+(?:les|ces)|laquelle|lesquel/iu;
/** Returns whether a text says that choices follow. */
export const announcesChoices = (text: string): boolean => CUE.test(text) || saidKind(text) !== null;

const TASK =
  /^\s*(?:calcul|détermin|montr|démontr|étudi|résou|trac|donn|justifi|expliqu|vérifi|trouv|en déduire|déduire|déduis|prouv|écri|représent|construi|factoris|développ|simplifi|compar|conclu|rédig|cit|défini|nomm|compléter|compléte[rz]|complète|remplir|dédui|établi|préciser|précise[rz]|interpréter|commenter|analyse[rz]|rappel|énonc|quel|que\b|qu['’]|combien|comment|pourquoi|où\b|on (?:pose|considère|suppose|note)|soit\b|exprim|identifi|propos|présent|dress|équilibr|décri|discut)/iu;
/** Returns whether a text is a task or a question of its own, as the parts a), b), c) of an exercise are. */
export const isTask = (text: string): boolean => TASK.test(text) || /\?\s*$/.test(text);

/** Returns whether prose introduces a part or what follows it, so that it does not belong to an explanation before it. */
export const startsPart = (text: string): boolean =>
  /^\s*(?:partie|section|chapitre|thème|exercice|problème|série|sujet|épreuve|texte|document)\s+(?:\d|[A-Z]\b|[IVX]+\b|n°)|(?:questions?|exercices?)\s+(?:suivantes?|suivants?|qui\s+suivent|\d+\s*(?:à|et|-)\s*\d+)/iu.test(
    text,
  );

/** Returns whether a line is the title of a key at the end of a document. */
export const isKeyTitle = (text: string): boolean =>
  /^\s*(?:[IVX\d]+[.)]\s*)?(?:(?:grille|clé|table|tableau|liste)s?\s+(?:de\s+(?:correction|réponses?)|des\s+(?:bonnes\s+)?réponses|du\s+corrigé)|corrig[ée]e?s?(?:\s+(?:du|des|de)\s+[^.?!]{1,40})?|correction|(?:bonnes\s+)?réponses?(?:\s+(?:exactes|correctes|attendues|aux\s+questions|du\s+qcm))?|solutions?|clés?|justifications?|explications)\s*[:.]?\s*$/iu.test(
    text,
  );
