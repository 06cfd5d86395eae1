import { type Answer, post } from '../runtime/post.ts';

export interface Judged {
  juste: boolean;
  html: string;
}

/** An answer as the call expects it. */
export interface SentAnswer {
  /** Idempotency key. */
  cle: string;
  contexte?: string;
  /** Time of the answer, where a page measures it. */
  secondes?: number;
  choix?: string[];
  texte?: string;
  passe?: true;
  numero?: number;
}

/** Judges a form's answer; null without a response. */
export type Judge = (form: HTMLFormElement, sent: SentAnswer) => Promise<Pick<Answer<Judged>, 'ok' | 'body'> | null>;

/** Lets the site judge an answer. */
export const judgeOnline: Judge = (form, sent) => post<Judged>(form.dataset.reponse ?? `/api/questions/${form.id.slice(2)}/reponse`, sent);

const noAnswer =
  'Pas de réponse du site : votre réponse est gardée ici. Vérifiez votre connexion, puis touchez de nouveau «\u00a0Vérifier\u00a0».';
/** Idempotency key of a form's answer, until it is judged. */
const keys = new WeakMap<HTMLFormElement, string>();
const busy = new WeakSet<HTMLFormElement>();

/** Lets `judge` judge the answer of a question's form, and shows the judged question in its place. 'Réessayer' puts the form back. */
export async function answer(form: HTMLFormElement, submitter: HTMLElement | null, judge = judgeOnline): Promise<void> {
  if (busy.has(form)) return;
  busy.add(form);
  const cle = keys.get(form) ?? crypto.randomUUID();
  keys.set(form, cle);
  const reply = await judge(form, { cle, ...fieldsOf(form, submitter) });
  busy.delete(form);
  if (!reply?.ok || reply.body.html === undefined) return say(form, reply?.body.message ?? noAnswer);
  keys.delete(form);
  show(form, reply.body.html);
}

/** Returns the fields of an answer, as the call expects them. */
export function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null): Omit<SentAnswer, 'cle'> {
  const numero = /\d+/.exec(form.querySelector('strong')?.textContent ?? '')?.[0];
  const choix = [...form.querySelectorAll<HTMLInputElement>('input[name="choix"]:checked')].map(({ value }) => value);
  const texte = form.querySelector<HTMLInputElement>('input[name="texte"]')?.value;
  const contexte = form.querySelector<HTMLInputElement>('input[name="contexte"]')?.value;
  return {
    ...(contexte && { contexte }),
    ...(form.dataset.secondes && { secondes: Number(form.dataset.secondes) }),
    ...(submitter?.getAttribute('name') === 'passe' ? { passe: true } : texte === undefined ? { choix } : { texte }),
    ...(numero && { numero: Number(numero) }),
  };
}

function show(form: HTMLFormElement, html: string): void {
  const template = document.createElement('template');
  template.innerHTML = html;
  const judged = template.content.firstElementChild as HTMLElement;
  judged.querySelector('[data-again]')?.addEventListener('click', (event) => {
    event.preventDefault();
    form.reset();
    judged.replaceWith(form);
    form.querySelector<HTMLInputElement>('input')?.focus();
  });
  say(form, '');
  form.replaceWith(judged);
  judged.focus({ preventScroll: true });
}

/** Shows a message below the form's fields; '' removes it. */
export function say(form: HTMLFormElement, message: string): void {
  let place = form.querySelector<HTMLElement>('.question__fault');
  if (!place) {
    place = document.createElement('p');
    place.className = 'question__fault';
    place.setAttribute('role', 'alert');
    form.lastElementChild?.before(place);
  }
  place.textContent = message;
}
