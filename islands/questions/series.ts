import { post } from '../runtime/post.ts';
import { fieldsOf, say } from './answer.ts';

const unsaved = 'Pas de réponse du site : votre réponse est gardée ici. Vérifiez votre connexion ; elle partira avec la suivante.';

const choices = 'input[type="radio"], input[type="checkbox"]';

/** Returns seconds as `1:05:09` or `5:09`. */
export function clock(seconds: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/**
 * `data-behaviour="series"`: shows one question at a time, with keys 1 to 9 for its choices and Enter to answer and go on. With `data-exam` each
 * answer is sent when it changes; the end of the time finishes the series. With `data-whole` all questions are in one form, sent at the end.
 * Without scripts all questions are below one another. A step with `data-open` is no question and not done yet; its name replaces 'Question'.
 */
export function start(root: HTMLElement): void {
  const part = <Part extends HTMLElement>(name: string) => root.querySelector<Part>(`[data-series-${name}]`) as Part;
  const steps = [...root.querySelectorAll<HTMLElement>('[data-series-step]')];
  /** The form that finishes the series; with `data-whole`, the element around the form's last button. */
  const finish = part<HTMLFormElement>('finish');
  const [previous, next, place] = [part<HTMLButtonElement>('previous'), part<HTMLButtonElement>('next'), part('at')];
  const isExam = 'exam' in root.dataset;
  const isWhole = 'whole' in root.dataset;
  /** Forms of the exam whose answer is not stored yet. */
  const waiting = new Map<HTMLFormElement, HTMLElement | null>();
  let sending: Promise<void> = Promise.resolve();
  /** When the present question was shown, in ms since the page was opened. */
  let shownAt = 0;

  /** The fields of a step's question; null once it is judged. */
  const formOf = (step: HTMLElement | undefined) =>
    step?.querySelector<HTMLFormElement>(isWhole ? '[data-asked]' : 'form.question') ?? null;
  const isGiven = (form: HTMLElement): boolean =>
    form.querySelector('input:checked') !== null || !!form.querySelector<HTMLInputElement>('input[type="text"]')?.value.trim();
  const isDone = (step: HTMLElement): boolean => {
    if ('open' in step.dataset) return false;
    const form = formOf(step);
    return form === null || ((isExam || isWhole) && isGiven(form));
  };
  const asked = steps.findIndex((step) => location.hash !== '' && step.querySelector(`[id="${CSS.escape(location.hash.slice(1))}"]`));
  const open = steps.findIndex((step) => !isDone(step));
  let at = asked >= 0 ? asked : open >= 0 ? open : steps.length - 1;

  function count(): void {
    const done = steps.filter(isDone).length;
    part('done').textContent = `${done} sur ${steps.length} répondues`;
    (root.querySelector('progress') as HTMLProgressElement).value = done;
    finish.querySelector('button')?.classList.toggle('button--quiet', done < steps.length);
  }

  function show(index: number, focus = true): void {
    if (!steps[index]) return;
    if (at !== index) shownAt = performance.now();
    at = index;
    for (const [other, step] of steps.entries()) step.hidden = other !== at;
    place.textContent = `${steps[at]?.dataset.seriesStep || 'Question'} ${at + 1} sur ${steps.length}`;
    previous.disabled = at === 0;
    next.disabled = at === steps.length - 1;
    count();
    if (!focus) return;
    steps[at]?.focus({ preventScroll: true });
    root.querySelector('.series__bar')?.scrollIntoView({ block: 'nearest' });
  }

  /** Stores the exam's answers that wait, in one row of requests. */
  function send(): Promise<void> {
    sending = sending.then(async () => {
      for (const [form, submitter] of waiting) {
        waiting.delete(form);
        const answer = await post(form.dataset.reponse ?? '', fieldsOf(form, submitter));
        if (answer?.status === 409) return location.reload();
        say(form, answer?.ok ? '' : (answer?.body.message ?? unsaved));
        if (!answer?.ok && !waiting.has(form) && answer?.status !== 400) {
          waiting.set(form, submitter);
          return;
        }
      }
    });
    return sending;
  }

  function keep(form: HTMLFormElement, submitter: HTMLElement | null): void {
    if (submitter?.getAttribute('name') === 'passe') form.querySelectorAll('input').forEach(clear);
    else if (!isGiven(form)) submitter = form.querySelector('[name="passe"]');
    waiting.set(form, submitter);
    count();
    send();
  }

  root.addEventListener('change', ({ target }) => {
    const form = (target as HTMLElement).closest<HTMLFormElement>('form.question');
    if (isExam && form) keep(form, null);
    if (isWhole) count();
  });
  // Before the handler of answers, which is the document's.
  root.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form === finish) {
      if (waiting.size === 0) return;
      event.preventDefault();
      send().then(() => {
        const [unsent] = waiting.keys();
        if (!unsent) return finish.submit();
        show(steps.findIndex((step) => step.contains(unsent)));
      });
    } else if (isExam) {
      event.preventDefault();
      keep(form, event.submitter);
      show(at + 1);
    } else form.dataset.secondes = String(Math.round((performance.now() - shownAt) / 1000));
  });
  previous.addEventListener('click', () => show(at - 1));
  next.addEventListener('click', () => show(at + 1));
  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target.closest('select, textarea, dialog')) return;
    // Enter in a field would send the whole form.
    const isTyping = target.matches('input') && !target.matches(choices);
    if (isTyping && !(isWhole && event.key === 'Enter' && root.contains(target))) return;
    const form = formOf(steps[at]);
    const choice = /^[1-9]$/.test(event.key) && form?.querySelectorAll<HTMLInputElement>(choices)[Number(event.key) - 1];
    if (choice) {
      event.preventDefault();
      choice.click();
      choice.focus();
    } else if (event.key === 'Enter' && !target.closest('a, button, summary')) {
      event.preventDefault();
      if (form && !isExam && !isWhole) form.requestSubmit();
      else if (isWhole && next.disabled) finish.querySelector('button')?.focus();
      else show(at + 1);
    }
  });
  // A judged question replaces its form.
  new MutationObserver(count).observe(part('nav').previousElementSibling as HTMLElement, { childList: true, subtree: true });

  const time = root.querySelector<HTMLElement>('[data-left]');
  if (time) {
    let isLastKept = false;
    const end = Date.now() + Number(time.dataset.left) * 1000;
    const tick = (): void => {
      const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      time.textContent = `Temps restant : ${clock(left)}`;
      const said = left <= 60 ? "Plus qu'une minute." : '';
      if (part('said').textContent !== said) part('said').textContent = said;
      // What is typed in the field is sent before the end, which takes nothing more.
      if (left <= 2 && !isLastKept) {
        isLastKept = true;
        const form = formOf(steps[at]);
        if (form?.querySelector('[name="texte"]') && isGiven(form)) keep(form, null);
      }
      if (left > 0) return;
      clearInterval(timer);
      // A network that hangs does not hold up the result.
      Promise.race([sending, new Promise((done) => setTimeout(done, 3_000))]).finally(() => finish.submit());
    };
    const timer = setInterval(tick, 1000);
    tick();
  }
  part('nav').hidden = false;
  if (isWhole) part('bar').hidden = false;
  show(at, false);
}

function clear(input: HTMLInputElement): void {
  if (input.name === 'choix') input.checked = false;
  else if (input.name === 'texte') input.value = '';
}
