import { questionStates } from './sheet.ts';

/** HTML of the list of all questions, closed. It lies over the sheet while it is open only. */
export const questionListHtml =
  '<details class="exam-room__list" data-liste hidden><summary class="chevron">Questions <span class="exam-room__count" data-compte aria-hidden="true"></span><span class="visually-hidden" data-compte-dit></span></summary><nav class="exam-room__numbers" aria-label="Questions"><p aria-hidden="true">✓\u00a0: avec une réponse</p><ol class="plain" data-numeros></ol></nav></details>';

/** Returns a link to a question, which shows its number. */
export function questionLink(number: number, id: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = `#${id}`;
  link.setAttribute('aria-label', `Question ${number}`);
  link.textContent = String(number);
  return link;
}

/**
 * Runs the list of all questions: it closes when a question is chosen, with Escape, and when the candidate goes on in the sheet.
 * @returns a function that shows anew which questions have an answer
 */
export function startQuestionList(list: HTMLDetailsElement, sheet: HTMLElement): () => void {
  const part = (name: string) => list.querySelector<HTMLElement>(`[data-${name}]`) as HTMLElement;
  const close = () => {
    list.open = false;
  };
  part('numeros').addEventListener('click', ({ target }) => target instanceof HTMLAnchorElement && close());
  list.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !list.open) return;
    close();
    list.querySelector('summary')?.focus();
  });
  sheet.addEventListener('focusin', close);
  sheet.addEventListener('pointerdown', close);
  return () => {
    const states = questionStates(sheet);
    const answered = states.filter(({ isAnswered }) => isAnswered).length;
    part('compte').textContent = `${answered}/${states.length}`;
    part('compte-dit').textContent = `, ${answered} sur ${states.length} avec une réponse`;
    const numbers = part('numeros');
    if (numbers.childElementCount !== states.length)
      numbers.replaceChildren(
        ...states.map(({ number, id }) => {
          const item = document.createElement('li');
          item.append(questionLink(number, id));
          return item;
        }),
      );
    for (const [index, { number, isAnswered }] of states.entries()) {
      const link = numbers.children[index]?.firstElementChild;
      link?.classList.toggle('exam-room__answered', isAnswered);
      link?.setAttribute('aria-label', `Question ${number}, ${isAnswered ? 'avec une réponse' : 'sans réponse'}`);
    }
  };
}
