import { openSitting } from '../../src/shared/exams/phone/sitting.ts';
import type { Browser, Sitting, SittingState } from '../../src/shared/exams/phone/sitting-view.ts';
import { keepKey, openPaper, prepareRoom } from './kept-paper.ts';
import { questionLink, questionListHtml, startQuestionList } from './question-list.ts';
import { fillSheet, lockSheet, questionStates, watchSheet } from './sheet.ts';
import { loadSitting, removeSitting, saveSitting } from './sitting-store.ts';
import {
  announcedMinutes,
  begins,
  confirmWords,
  elsewhere,
  endWords,
  handedInWords,
  keptWords,
  otherDevice,
  readyWords,
  timer,
} from './words.ts';

/** Response timeout of a call, in ms. */
const timeoutMs = 20_000;
/** Browsers send bodies of up to 64 KiB after a page is closed. */
const keepaliveBytes = 60_000;
/** Longest pause before the key or the paper is asked for again, in ms. Random, so that phones do not come back together. */
const againMs = 4_000;
/** Most links to questions without an answer in the dialog before the hand-in. */
const mostLinks = 12;

/** `data-behaviour="exam-room"`: runs the room of a mock exam, from the time before the opening to the receipt. */
export async function start(root: HTMLElement): Promise<void> {
  const { exam = '', revision = '' } = root.dataset;
  const at = (name: string): number => Number(root.dataset[name]);
  const times = { ouvre: at('ouvre'), ferme: at('ferme'), duree: at('duree'), maintenant: at('maintenant') };
  const part = (name: string) => root.querySelector<HTMLElement>(`[data-${name}]`) as HTMLElement;
  const [sheet, said, before] = [part('feuille'), part('etat'), part('depart')];
  before.querySelector<HTMLElement>('[data-sans-script]')?.remove();
  before.insertAdjacentHTML(
    'afterbegin',
    '<p class="exam-room__when"><strong data-quand></strong></p><p class="field__hint" data-pret></p><p class="actions"><button class="button button--large" type="button" data-commencer hidden>Commencer</button></p>',
  );
  said.insertAdjacentHTML(
    'beforebegin',
    '<p class="exam-room__time" data-reste hidden><span class="visually-hidden">Temps restant : </span><strong data-temps></strong> · <span data-fin></span></p><button class="button button--secondary" type="button" data-remettre hidden>Remettre<span class="visually-hidden"> ma copie</span></button>',
  );
  said.insertAdjacentHTML('afterend', `${questionListHtml}<p class="exam-room__kept" data-garde></p>`);
  sheet.insertAdjacentHTML(
    'beforebegin',
    '<p class="visually-hidden" role="status" data-annonce></p><dialog class="dialog" aria-labelledby="t-remise"><h2 class="dialog__title" tabindex="-1" autofocus id="t-remise">Remettre ma copie ?</h2><div class="dialog__body"><p data-manque></p><p class="exam-room__missing" data-lesquelles></p></div><div class="dialog__actions"><button class="button button--quiet" type="button" data-non>Continuer à répondre</button><button class="button" type="button" data-oui>Remettre ma copie</button></div></dialog>',
  );
  const dialog = root.querySelector('dialog') as HTMLDialogElement;
  const list = part('liste') as HTMLDetailsElement;
  const showList = startQuestionList(list, sheet);
  /** @param code a part of the text that stays in one line */
  const write = (element: HTMLElement, text: string, code?: string) => {
    if (element.textContent === text) return;
    const [first = '', rest] = code ? text.split(code) : [text];
    const strong = document.createElement('strong');
    strong.className = 'exam__code';
    strong.textContent = code ?? '';
    const paragraph = document.createElement('p');
    paragraph.append(first, ...(rest === undefined ? [] : [strong, rest]));
    element.replaceChildren(...(element === said && text ? [paragraph] : [text]));
  };

  let isShown = false;
  let isOpening = false;
  let isStopped = false;
  let shownAnswers: unknown = null;
  /** Minutes left, when they were last announced. */
  let announced = Number.POSITIVE_INFINITY;
  let hasSaidOthers = false;

  /** Before the start: the countdown, then the button. */
  function showBefore(sitting: Sitting): void {
    const left = times.ouvre - sitting.now();
    write(
      part('quand'),
      left > 0 ? begins(left) : sitting.now() < times.ferme ? 'Le concours blanc est ouvert.' : 'Le concours blanc est fermé.',
    );
    if (left <= 0) bring();
    part('commencer').hidden = !isShown || sitting.now() >= times.ferme;
  }

  /** Brings the paper, until it is there. */
  async function bring(): Promise<void> {
    if (isShown || isOpening) return;
    isOpening = true;
    try {
      const html = sheet.childElementCount > 0 ? '' : await openPaper(exam);
      if (html) sheet.innerHTML = html;
      isShown = html !== null;
    } catch {
      // Without network: again soon.
    }
    if (isShown) {
      keepKey(exam);
      write(part('pret'), 'Le sujet est sur cet appareil. Votre temps commence quand vous touchez «\u00a0Commencer\u00a0».');
    }
    shownAnswers = null;
    if (sitting) show(sitting.state());
    setTimeout(
      () => {
        isOpening = false;
      },
      isShown ? 0 : 500 + Math.random() * againMs,
    );
  }

  /** In the dialog before the hand-in: how many questions have no answer, and links to the first of them. */
  function showMissing(): void {
    const missing = questionStates(sheet).filter(({ isAnswered }) => !isAnswered);
    write(part('manque'), confirmWords(missing.length));
    const first = missing.slice(0, mostLinks);
    const place = part('lesquelles');
    if (place.textContent === first.map(({ number }) => number).join('')) return;
    place.replaceChildren(
      ...first.map(({ number, id }) => {
        const link = questionLink(number, id);
        link.className = 'button button--quiet';
        return link;
      }),
    );
  }

  function show(state: SittingState): void {
    const { record, left, end, isOpen, others, trouble } = state;
    const hasBegun = record.debut !== null;
    if (before.hidden !== hasBegun) (part('consignes') as HTMLDetailsElement).open = !hasBegun;
    before.hidden = hasBegun;
    part('barre').classList.toggle('exam-room__bar--runs', hasBegun);
    sheet.hidden = !hasBegun;
    sheet.inert = false;
    if (hasBegun) bring();
    if (shownAnswers !== record.answers) {
      shownAnswers = record.answers;
      fillSheet(sheet, record.answers);
      showList();
    }
    list.hidden = !hasBegun || !isShown || isStopped;
    lockSheet(sheet, !isOpen);
    part('remettre').hidden = !isOpen;
    const done = handedInWords(state, sitting?.now() ?? 0, at('grace'));
    part('reste').hidden = !hasBegun || isStopped || done !== '';
    write(part('temps'), timer(left ?? 0));
    if (end !== null) write(part('fin'), endWords(end));
    write(part('garde'), hasBegun && !isStopped && !done ? keptWords(state) : '');
    const minutes = announcedMinutes.findLast((number) => (left ?? Number.POSITIVE_INFINITY) <= number * 60_000);
    if (isOpen && minutes !== undefined && minutes < announced) {
      announced = minutes;
      // Less than `minutes` in a page opened late, or in a shorter exam.
      const whole = Math.ceil((left ?? 0) / 60_000);
      write(part('annonce'), `Il reste ${whole} minute${whole > 1 ? 's' : ''}.`);
    }
    if (isOpen && others && !hasSaidOthers) {
      hasSaidOthers = true;
      write(part('annonce'), otherDevice);
    }
    if (!isOpen && dialog.open) dialog.close();
    if (dialog.open) showMissing();
    if (done) write(part('annonce'), '');
    const messages = [isStopped ? elsewhere : done];
    if (trouble === 'signed-out') messages.push('Votre session est terminée : reconnectez-vous. Vos réponses restent sur cet appareil.');
    else if (trouble && trouble !== 'network') messages.push(trouble.message);
    const isSafe = record.remis !== null && !record.isLate;
    said.classList.toggle('alert--success', isSafe);
    said.classList.toggle('alert--warning', !isSafe);
    write(said, messages.filter((message) => message !== '').join(' '), record.remis?.recu);
  }

  const browser: Browser = {
    wall: () => Date.now(),
    mono: () => performance.now(),
    isHidden: () => document.hidden,
    random: Math.random,
    newId,
    after(ms, work) {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    load: (candidat) => loadSitting(exam, candidat),
    save: (record) => saveSitting(exam, record),
    remove: (candidat) => removeSitting(exam, candidat),
    async call(what, body) {
      const text = body && JSON.stringify(body);
      try {
        const response = await fetch(`/api/concours-blancs/${exam}/${what}`, {
          ...(text && { method: 'POST', body: text, keepalive: text.length < keepaliveBytes }),
          headers: { accept: 'application/json', ...(text && { 'content-type': 'application/json' }) },
          signal: AbortSignal.timeout(timeoutMs),
        });
        return { status: response.status, body: await response.json() };
      } catch {
        return null;
      }
    },
    show,
  };

  let sitting: Sitting | null = null;
  await alone(`concours-blanc ${exam}`, () => {
    isStopped = true;
    sitting?.stop();
    if (sitting) show(sitting.state());
  });
  const own = await openSitting(times, browser);
  sitting = own;

  const finishTyping = watchSheet(sheet, (question, given) => own.answer(question, given));
  part('commencer').addEventListener('click', () => {
    own.begin();
    show(own.state());
    sheet.tabIndex = -1;
    sheet.focus({ preventScroll: true });
  });
  part('remettre').addEventListener('click', () => {
    finishTyping();
    dialog.showModal();
    own.refresh();
    show(own.state());
  });
  part('non').addEventListener('click', () => dialog.close());
  // The dialog is closed first: it gives the focus back to its button before the link is followed.
  part('lesquelles').addEventListener('click', () => dialog.close());
  part('oui').addEventListener('click', () => {
    dialog.close();
    scrollTo(0, 0);
    own.handIn();
  });

  const tick = () => {
    // What is being typed is kept before the end.
    if ((own.state().left ?? Number.POSITIVE_INFINITY) < 2_000) finishTyping();
    own.tick();
    if (own.state().record.debut === null) showBefore(own);
  };
  const leave = () => {
    finishTyping();
    own.leave();
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return leave();
    tick();
    own.retry();
  });
  addEventListener('pagehide', leave);
  addEventListener('online', () => own.retry());
  // A page that Back restores may have been continued elsewhere.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  setInterval(tick, 1000);
  tick();
  prepareRoom(exam, location.pathname, revision, (bytes) => {
    if (!isShown)
      write(
        part('pret'),
        `${readyWords(bytes)} Il s'ouvre à l'heure, même avec un réseau lent : le bouton «\u00a0Commencer\u00a0» paraît alors ici.`,
      );
  });
}

/**
 * `data-behaviour="exam-ready"`: the exam's page fetches the sealed paper, as the room does. The room's script is kept because this page has
 * loaded it.
 */
export function startReady(place: HTMLElement): void {
  const { exam = '', revision = '', salle = '' } = place.dataset;
  prepareRoom(exam, salle, revision, (bytes) => {
    place.textContent = readyWords(bytes);
  });
}

/** Returns a UUID, without HTTPS too. */
function newId(): string {
  if (crypto.randomUUID) return crypto.randomUUID();
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Makes this tab the only one of its name. @param onLost called when another tab has taken over */
async function alone(name: string, onLost: () => void): Promise<void> {
  // Absent without HTTPS.
  if (!navigator.locks) return;
  await new Promise<void>((resolve) => {
    const forever = () => {
      resolve();
      return new Promise<void>(() => {});
    };
    navigator.locks.request(name, { steal: true }, forever).catch(onLost);
  });
}
