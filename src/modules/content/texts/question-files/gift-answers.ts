import { type FileQuestion, type FileText, plainText, written } from './file-questions.ts';
import { shownSigns } from './gift-source.ts';

type Read = Pick<FileQuestion, 'kind'> & Partial<FileQuestion>;
type ToText = (raw: string) => FileText;

/** Reads `T`, `FALSE` and so on, with the feedback for a wrong and a right answer; null for other answers. */
export function trueFalseAnswer(answers: string, text: ToText): Read | null {
  const [, word, rest = ''] = /^\s*(T|TRUE|F|FALSE|V|VRAI|FAUX)\s*(#[\s\S]*)?$/i.exec(answers) ?? [];
  if (word === undefined) return null;
  const isTrue = /^[TV]/i.test(word);
  const [wrong = '', right = ''] = rest.split('#').slice(1);
  const remark = (raw: string): FileText | null => (raw.trim() === '' ? null : text(raw));
  return {
    kind: 'one',
    choices: [
      { text: plainText('Vrai'), right: isTrue, remark: remark(isTrue ? right : wrong) },
      { text: plainText('Faux'), right: !isTrue, remark: remark(isTrue ? wrong : right) },
    ],
  };
}

/** Reads `#3.5:0.1`, `#3..4` or `#=3.5:0.1 =%50%3:1`; null when there is no number. */
export function numberAnswer(answers: string, text: ToText, say: (remark: string) => void): Read | null {
  const body = answers.trim().slice(1).trim();
  const pieces = body.startsWith('=') ? body.split('=').slice(1) : [body];
  let best: (Read & { weight: number }) | null = null;
  for (const piece of pieces) {
    const [, weight, number = '', feedback = ''] = /^\s*(?:%(-?\d+(?:\.\d+)?)%)?([^#]*)(?:#([\s\S]*))?$/.exec(piece) ?? [];
    const bounds = numbers(shownSigns(number).trim());
    if (!bounds) continue;
    const own = { weight: weight === undefined ? 100 : Number(weight), kind: 'number' as const, ...bounds };
    if (!best || own.weight > best.weight) best = { ...own, explanation: feedback.trim() === '' ? [] : [text(feedback)] };
  }
  if (!best) return null;
  if (pieces.length > 1) say('des valeurs donnaient une partie des points : seule la plus juste est reprise.');
  const { weight: _weight, ...read } = best;
  return read;
}

function numbers(said: string): { value: string; tolerance: string } | null {
  const [, low, high] = /^(-?[\d.]+?(?:e[+-]?\d+)?)\s*\.\.\s*(-?[\d.]+(?:e[+-]?\d+)?)$/i.exec(said) ?? [];
  if (low !== undefined && high !== undefined) {
    const [from, to] = [Number(low), Number(high)];
    const half = (to - from) / 2;
    return Number.isFinite(half) && half >= 0
      ? { value: written(rounded((from + to) / 2)), tolerance: half === 0 ? '' : written(rounded(half)) }
      : null;
  }
  const [value = '', tolerance = ''] = said.split(':').map((part) => part.trim().replace(',', '.'));
  if (value === '' || !Number.isFinite(Number(value)) || !Number.isFinite(Number(tolerance))) return null;
  return { value: written(Number(value)), tolerance: Number(tolerance) === 0 ? '' : written(Number(tolerance)) };
}

const rounded = (value: number): number => Number(value.toPrecision(12));

/** Reads `=Paris =Lutèce`; null when there is no answer that gives all points. */
export function shortAnswers(answers: string, text: ToText, say: (remark: string) => void): Read | null {
  const accepted: string[] = [];
  const explanation: FileText[] = [];
  for (const piece of answers.split('=').slice(1)) {
    const [, weight, said = '', feedback = ''] = /^\s*(?:%(-?\d+(?:\.\d+)?)%)?([^#]*)(?:#([\s\S]*))?$/.exec(piece) ?? [];
    const answer = shownSigns(said).trim();
    if (feedback.trim() !== '') explanation.push(text(feedback));
    if (weight !== undefined && Number(weight) < 100)
      say(`la réponse « ${answer} » donnait ${weight} % des points : elle n'est pas reprise.`);
    else if (answer !== '') accepted.push(answer);
  }
  return accepted.length === 0 || !/^\s*=/.test(answers) ? null : { kind: 'text', accepted, explanation };
}
