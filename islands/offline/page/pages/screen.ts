import type { Judge } from '../../../questions/answer.ts';
import { judgeKept, messageOfRefusal } from '../questions/judge-kept.ts';
import type { KeptPage } from './present.ts';
import { renderView } from './render-view.ts';
import { views } from './views.ts';

interface SaidState {
  facts: string[];
  action: { href: string; text: string } | null;
  newer: boolean;
}

const isOfSession = (form: HTMLFormElement): boolean => new URL(form.action).pathname.startsWith('/user/seance');

/** Judges an answer in a session; a storage that is full or refused is told below the form. */
const judgeInKeptSession: Judge = (form, sent) =>
  import('../session/acts.ts')
    .then(({ judgeInSession }) => judgeInSession(form, sent))
    .catch((error: unknown) => ({ ok: false, body: { message: messageOfRefusal(error) } }));

/** Only pages with questions load the script of their forms. */
const questionScript = () => import('../../../questions/answer.ts');

export type Screen = ReturnType<typeof openScreen>;

/** Returns functions that show a kept page in the page's `main` element, with its scripts and the state line above it. */
export function openScreen(main: HTMLElement) {
  /** The end of the document's title: ' | ' and the site's name. */
  const site = document.title.slice(document.title.lastIndexOf(' | '));
  let unmount = () => {};
  addEventListener('pagehide', () => history.replaceState({ ...history.state, top: scrollY }, ''));

  return {
    async show({ view, title, locals, study, views: own }: KeptPage): Promise<void> {
      unmount();
      unmount = () => {};
      const { body, bodyClass } = renderView({ ...views, ...own }, view, locals);
      main.innerHTML = `<div></div>${body}`;
      document.title = title + site;
      document.body.className = bodyClass;
      const island = main.querySelector<HTMLElement>('[data-island="study"]');
      if (study && island) unmount = (await import('./render-study.tsx')).renderStudy(island, study.props, study.slots);
      const timer = main.querySelector<HTMLElement>('[data-behaviour="timer"]');
      if (main.querySelector('math')) (await import('../../../formulas/copy-formulas.ts')).start();
      const series = main.querySelector<HTMLElement>('[data-behaviour="series"]');
      if (series) (await import('../../../questions/series.ts')).start(series);
      if (main.querySelector('form.question')) await questionScript();
      if (timer) (await import('../../../practice/timer.ts')).start(timer);
    },

    /** Shows the state line above the page. */
    say(state: SaidState): void {
      const { body } = renderView(views, '/offline/kept-state', { ...state });
      const place = main.firstElementChild as HTMLElement;
      if (!place.firstElementChild) place.innerHTML = body;
      const template = document.createElement('template');
      template.innerHTML = body;
      for (const part of template.content.querySelectorAll<HTMLElement>('[data-said]')) {
        const known = place.querySelector(`[data-said="${part.dataset.said}"]`);
        // Replace only changed parts: screen readers announce a replaced part again.
        if (known?.innerHTML !== part.innerHTML) known?.replaceChildren(...part.childNodes);
      }
    },

    /** Lets the device judge the questions of the page. @param answered called after an answer was stored or shown */
    judgeAnswers(answered: () => void): void {
      main.addEventListener('submit', (event) => {
        const form = event.target as HTMLFormElement;
        if (!form.classList.contains('question')) return;
        event.preventDefault();
        // `startQuestions` would send the answer to the site.
        event.stopPropagation();
        questionScript()
          .then(({ answer, judgeOnline }) =>
            answer(form, event.submitter, (asked, sent) =>
              isOfSession(form) ? judgeInKeptSession(asked, sent) : judgeKept(asked, sent, judgeOnline),
            ),
          )
          .then(answered, (error: unknown) => console.error('kept question', error));
      });
    },

    /** Lets the device begin and end sessions of the day without network. */
    actOnSessions(fail: (error: unknown) => void): void {
      main.addEventListener('submit', (event) => {
        const form = event.target as HTMLFormElement;
        if (!isOfSession(form) || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        import('../session/acts.ts').then(({ actOnSession }) => actOnSession(form, event.submitter)).catch(fail);
      });
    },

    onShowNewer(showNewer: () => void): void {
      main.addEventListener('click', ({ target }) => {
        if (target instanceof Element && target.closest('[data-show-newer]')) showNewer();
      });
    },

    /** Returns whether the focus is on an element of the page. */
    isUsed: () => main.contains(document.activeElement) && document.activeElement !== main,

    focus(): void {
      main.focus({ preventScroll: true });
      main.scrollIntoView({ behavior: 'instant' });
    },

    /** Scrolls to the URL's fragment, or to the position where the page was left: the browser looked for both before the content was there. */
    findPlace(): void {
      const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      const top = visit?.type === 'navigate' ? undefined : history.state?.top;
      if (top !== undefined) scrollTo({ top, behavior: 'instant' });
      else if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: 'instant' });
    },
  };
}
