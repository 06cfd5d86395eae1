import { readNumber } from '../../../src/shared/questions/number.ts';
import { isWritable } from '../../../src/shared/rich-text/bounds.ts';
import { maxAccepted, maxAnswerLength, maxPoints, type QuestionKind } from '../../../src/shared/rich-text/question-kinds.ts';

export interface QuestionAttrs {
  kind: QuestionKind;
  points: number;
  fixed: boolean;
  value: string;
  tolerance: string;
  unit: string;
  accepted: string[];
}

interface Host {
  change(name: keyof QuestionAttrs, value: unknown): void;
  /** Returns to the text; `isDone`: to the explanation, since the answer is written. */
  leave(isDone: boolean): void;
}

const kinds: [QuestionKind, string][] = [
  ['one', 'Un choix'],
  ['several', 'Plusieurs choix'],
  ['number', 'Nombre'],
  ['text', 'Texte court'],
];
const answers = { value: 'Valeur', tolerance: 'Tolérance', unit: 'Unité' } as const;

/** The fields above a question. Escape leads from them to the text, Enter from an answer to the explanation. */
export function questionFields({ change, leave }: Host) {
  const dom = document.createElement('div');
  dom.className = 'editor__fields';
  dom.contentEditable = 'false';
  const title = document.createElement('span');
  title.className = 'editor__title';

  const kind = document.createElement('select');
  kind.append(...kinds.map(([value, label]) => new Option(label, value)));
  kind.addEventListener('change', () => change('kind', kind.value));
  const points = input('text', 'editor__short');
  points.inputMode = 'decimal';
  points.addEventListener('input', () => {
    const value = readPoints(points.value);
    points.setAttribute('aria-invalid', String(value === null));
    if (value !== null) change('points', value);
  });
  const fixed = input('checkbox');
  fixed.addEventListener('change', () => change('fixed', fixed.checked));
  const texts = (Object.keys(answers) as (keyof typeof answers)[]).map((name) => {
    const field = input('text', 'editor__short');
    field.maxLength = maxAnswerLength;
    if (name === 'tolerance') field.placeholder = '0,1 ou 2 %';
    if (name === 'value') field.dataset.answer = '';
    field.addEventListener('input', () => isWritable(field.value) && change(name, field.value));
    return [name, field] as const;
  });
  const accepted = document.createElement('textarea');
  accepted.rows = 2;
  accepted.dataset.answer = '';
  accepted.addEventListener('input', () => change('accepted', readAccepted(accepted.value)));

  const ordered = labelled('Ordre fixe', fixed);
  const numbers = texts.map(([name, field]) => labelled(answers[name], field));
  const lines = labelled('Réponses acceptées, une par ligne', accepted);
  lines.classList.add('editor__lines');
  dom.append(title, labelled('Type', kind), labelled('Points', points), ordered, ...numbers, lines);
  const controls = [kind, points, fixed, ...texts.map(([, field]) => field), accepted];

  dom.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (key === 'Escape') leave(false);
    else if (key === 'Enter' && !(target === accepted && !event.ctrlKey && !event.metaKey))
      leave(target instanceof HTMLElement && target !== kind && target !== points && target !== fixed);
    else return;
    // Enter in a field would send the form.
    event.preventDefault();
  });
  points.addEventListener('blur', () => points.getAttribute('aria-invalid') === 'true' && showPoints());
  let shown = 1;

  function showPoints(): void {
    if (readPoints(points.value) !== shown) points.value = String(shown).replace('.', ',');
    points.removeAttribute('aria-invalid');
  }

  return {
    dom,
    show(attrs: QuestionAttrs, isNear: boolean): void {
      kind.value = attrs.kind;
      fixed.checked = attrs.fixed;
      shown = attrs.points;
      showPoints();
      for (const [name, field] of texts) if (field.value !== attrs[name]) field.value = attrs[name];
      if (readAccepted(accepted.value).join('\n') !== attrs.accepted.join('\n')) accepted.value = attrs.accepted.join('\n');
      ordered.hidden = attrs.kind === 'number' || attrs.kind === 'text';
      for (const label of numbers) label.hidden = attrs.kind !== 'number';
      lines.hidden = attrs.kind !== 'text';
      for (const control of controls) control.tabIndex = isNear ? 0 : -1;
    },
  };
}

function input(type: string, className = ''): HTMLInputElement {
  const field = document.createElement('input');
  field.type = type;
  field.className = className;
  field.autocomplete = 'off';
  return field;
}

function labelled(text: string, field: HTMLElement): HTMLLabelElement {
  const label = document.createElement('label');
  if (field instanceof HTMLInputElement && field.type === 'checkbox') label.append(field, text);
  else label.append(text, field);
  return label;
}

function readPoints(typed: string): number | null {
  const points = readNumber(typed);
  return points !== null && points > 0 && points <= maxPoints ? points : null;
}

const readAccepted = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim().slice(0, maxAnswerLength))
    .filter((line) => line !== '' && isWritable(line))
    .slice(0, maxAccepted);
