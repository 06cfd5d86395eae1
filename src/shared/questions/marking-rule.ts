/** Points of a question in a series, for each of its points: right, wrong, unanswered (specification of the series, decision 116). */
export interface MarkingRule {
  juste: number;
  faux: number;
  sans: number;
}

/** The rule of a series that gives none. */
export const ordinaryRule: MarkingRule = { juste: 1, faux: 0, sans: 0 };

const most = 100;
const number = /^[+\-−]?\d{1,3}(?:[.,]\d{1,2})?$/;

/** Returns a typed rule: three numbers with `;` between them; '' is the ordinary rule. Null for another text. */
export function parseRule(typed: string): MarkingRule | null {
  if (typed.trim() === '') return ordinaryRule;
  const parts = typed.split(';').map((part) => part.trim());
  if (parts.length !== 3 || parts.some((part) => !number.test(part))) return null;
  const [juste = 0, faux = 0, sans = 0] = parts.map((part) => Number(part.replace('−', '-').replace(',', '.')));
  return { juste, faux, sans };
}

/** Returns why a typed rule cannot be a series' rule, in French; null when it can. */
export function ruleFault(typed: string): string | null {
  const rule = parseRule(typed);
  if (!rule) return 'Le barème a trois nombres, avec deux décimales au plus : juste, faux, sans réponse';
  const { juste, faux, sans } = rule;
  if (juste <= 0 || juste > most) return `Une réponse juste vaut plus de 0 et au plus ${most} points`;
  if (faux > 0 || faux < -most) return `Une réponse fausse vaut de −${most} à 0 point`;
  return sans >= juste || sans < -most ? "Une question sans réponse vaut moins qu'une réponse juste" : null;
}

const decimals = new Intl.NumberFormat('fr', { maximumFractionDigits: 2, useGrouping: false });

/** Returns a number of points, as French writes it: '−0,25'. */
const formatSigned = (points: number): string => decimals.format(points).replace('-', '−');

/** Returns the rule as it is typed: '1 ; -0,25 ; 0'. */
export const writeRule = ({ juste, faux, sans }: MarkingRule): string =>
  [juste, faux, sans].map((points) => decimals.format(points)).join(' ; ');

/** Returns 'Juste : +1 · Faux : −0,25 · Sans réponse : 0'. */
export const sayRule = ({ juste, faux, sans }: MarkingRule): string =>
  `Juste : +${formatSigned(juste)} · Faux : ${formatSigned(faux)} · Sans réponse : ${formatSigned(sans)}`;
