import type { TheoremKind } from './definitions.ts';
import { addHeading } from './headings.ts';
import type { EnvironmentNode, TexNode } from './nodes.ts';
import type { TexReader } from './reader.ts';

/** Titles of the environments that French courses use, by name without accents. A file may define others, or give these numbers. */
const TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    Théorème: 'theoreme theorem thm theo th thme',
    'Théorème-définition': 'theodef thmdef defthm theoreme-definition',
    Définition: 'definition defi defn df def',
    Définitions: 'definitions',
    Proposition: 'proposition prop propo',
    'Proposition-définition': 'propdef defprop',
    Propriété: 'propriete property ppte prte',
    Propriétés: 'proprietes properties',
    Corollaire: 'corollaire corollary cor coro corol',
    Lemme: 'lemme lemma lem lm',
    Remarque: 'remarque remark rem rmq rq rema remq',
    Remarques: 'remarques remarks rems rmqs rqs',
    Exemple: 'exemple example ex exmp exple exe',
    Exemples: 'exemples examples exs',
    Exercice: 'exercice exercise exo exos exercices exer exercie',
    Problème: 'probleme problem pb',
    Démonstration: 'demonstration demo dem demons',
    Preuve: 'preuve proof prv',
    Notation: 'notation nota not',
    Notations: 'notations',
    Méthode: 'methode method meth',
    Activité: 'activite activity',
    Application: 'application app appl',
    Conséquence: 'consequence conseq',
    Convention: 'convention conv',
    Vocabulaire: 'vocabulaire voc',
    Rappel: 'rappel',
    Rappels: 'rappels',
    Attention: 'attention warning danger',
    Axiome: 'axiome axiom',
    Conjecture: 'conjecture',
    Question: 'question',
    Indication: 'indication indications hint',
    Énoncé: 'enonce',
    'Savoir-faire': 'savoirfaire',
    Synthèse: 'synthese',
    Bilan: 'bilan',
    'À retenir': 'aretenir retenir',
    Historique: 'historique',
    Illustration: 'illustration',
    Commentaire: 'commentaire',
    Algorithme: 'algorithme',
    Principe: 'principe',
    Loi: 'loi',
  }).flatMap(([title, names]) => names.split(' ').map((name) => [name, title])),
);

const EXERCISE = /^(?:exerci|probl|activit)/i;
const withoutAccents = (name: string): string => name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/**
 * Reads a theorem and the like: a quotation that begins with its title in bold. An exercise is a heading instead, as in other files.
 * Returns whether the environment is one.
 */
export function theorem(reader: TexReader, node: EnvironmentNode): boolean {
  const declared = reader.context.theorems.get(node.name);
  const title = declared ? reader.plainSource(declared.title) : TITLES[withoutAccents(node.name.replace(/\*$/, ''))];
  if (title === undefined) return false;
  const cursor = reader.cursor(node.children);
  const note = cursor.option();
  const number = declared ? numberOf(reader, declared) : '';
  const name = [title, number].filter(Boolean).join(' ');
  const content = cursor.until(() => false);
  if (EXERCISE.test(title)) {
    exercise(reader, name, note, content);
    return true;
  }
  const named: TexNode[] = note ? [textNode(`${name} (`), ...note, textNode(')')] : [textNode(name)];
  titledBlock(reader, named, content, /^(?:démonstration|preuve)/i.test(title) ? 'em' : 'strong');
  return true;
}

const textNode = (text: string): TexNode => ({ kind: 'text', text, at: 0, end: 0 });

function exercise(reader: TexReader, name: string, note: readonly TexNode[] | null, content: readonly TexNode[]): void {
  const { headingLevel, context } = reader;
  addHeading(reader, note ? [textNode(`${name} : `), ...note] : [textNode(name)], Math.min(6, headingLevel + 1));
  // The next exercise is beside this one.
  reader.headingLevel = headingLevel;
  context.exercise = note ? `${name} : ${reader.plain(note)}` : name;
  reader.scoped(content);
  reader.endParagraph();
}

function numberOf({ context: { numbers } }: TexReader, { counter, within }: TheoremKind): string {
  if (counter === null) return '';
  const outer = within === null ? '' : numbers.written(within);
  const key = `${counter} of ${outer}`;
  const number = within === null ? numbers.step(counter) : numbers.step(key);
  if (within !== null) numbers.set(counter, number);
  numbers.current = within === null ? numbers.written(counter) : `${outer}.${number}`;
  return numbers.current;
}

/** Adds a quotation with a title in its first paragraph. Without a title it is only a quotation. */
export function titledBlock(
  reader: TexReader,
  title: readonly TexNode[],
  content: readonly TexNode[],
  tag: 'em' | 'strong' = 'strong',
): void {
  const quote = reader.document.createElement('blockquote');
  const { align } = reader;
  reader.align = null;
  reader.block(quote);
  const heading = reader.document.createElement('p');
  const mark = reader.document.createElement(tag);
  const rest = reader.inlineInto(mark, title);
  if (mark.childNodes.length > 0) {
    heading.append(mark);
    quote.append(heading);
  }
  quote.append(...rest);
  reader.blocksInto(quote, content, reader.marks);
  if (quote.childNodes.length === 0) quote.remove();
  reader.align = align;
}

/** Attribute of a block that holds a solution, with the title of its exercise. It is placed when the whole text is read. */
export const SOLUTION = 'data-solution';

/** Reads a solution. Where it is placed is decided when the whole text is read. */
export function solution(reader: TexReader, node: EnvironmentNode): void {
  const cursor = reader.cursor(node.children);
  const note = cursor.option();
  const element = reader.document.createElement('div');
  element.setAttribute(SOLUTION, (note && reader.plain(note)) || reader.context.exercise);
  reader.block(element);
  reader.blocksInto(
    element,
    cursor.until(() => false),
  );
  if (element.childNodes.length === 0) element.remove();
}
