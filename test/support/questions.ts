/** Full HTML of questions with their keys, as an administrator's editor sends them. Ids have 12 characters. */

interface Choice {
  id: string;
  text: string;
  right?: boolean;
  remark?: string;
}

/** Returns a question with choices. */
export function choiceQuestion({
  id,
  statement = 'Combien font 2 + 2 ?',
  choices,
  explanation = 'Car 2 + 2 = 4.',
  several = false,
  points = 1,
}: {
  id: string;
  statement?: string;
  choices: Choice[];
  explanation?: string | null;
  several?: boolean;
  points?: number;
}): string {
  const rows = choices.map(
    ({ id, text, right, remark }) =>
      `<article data-id="${id}"${right ? ' data-right=""' : ''}><p>${text}</p>${remark ? `<aside><p>${remark}</p></aside>` : ''}</article>`,
  );
  return `<section class="question" data-id="${id}" data-kind="${several ? 'several' : 'one'}"${points === 1 ? '' : ` data-points="${points}"`}><header><p>${statement}</p></header>${rows.join('')}${explanation === null ? '' : `<footer><p>${explanation}</p></footer>`}</section>`;
}

/** Returns a question whose answer is a number. */
export const numberQuestion = (id: string, value: string, { tolerance = '', unit = '', statement = 'Combien ?' } = {}): string =>
  `<section class="question" data-id="${id}" data-kind="number" data-value="${value}"${tolerance && ` data-tolerance="${tolerance}"`}${unit && ` data-unit="${unit}"`}><header><p>${statement}</p></header><footer><p>Par le calcul.</p></footer></section>`;

/** Returns a question whose answer is a short text. */
export const textQuestion = (id: string, accepted: readonly string[], statement = 'Qui ?'): string =>
  `<section class="question" data-id="${id}" data-kind="text" data-accepted="${JSON.stringify(accepted).replaceAll('"', '&quot;')}"><header><p>${statement}</p></header></section>`;

/** Returns a question as it is stored when it has a fault: administrators see it, learners do not. */
export const faulty = (question: string): string => question.replace(/ data-kind="[a-z]+"/, '$& data-unusable=""');
