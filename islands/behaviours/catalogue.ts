import { foldText } from '../../src/shared/search-text.ts';

const narrow = matchMedia('(max-width: 991.98px)');
/** Cards per page of the server, and per page of a narrow screen, which shows half of a server page (specification §9). */
const serverSize = 10;
const narrowSize = 5;

/** `data-behaviour="catalogue"`: the page has all cards. Search and pagination show and hide them without a request. */
export function start(root: HTMLElement): void {
  const find = <Found extends Element>(selector: string) => root.querySelector<Found>(selector);
  const [form, input, found] = [find<HTMLFormElement>('form'), find<HTMLInputElement>('input[type="search"]'), find('[data-found]')];
  const [none, pagination] = [find<HTMLElement>('[data-none]'), find<HTMLElement>('.pagination')];
  if (!form || !input || !found || !none) return;
  const { paged, action = '' } = root.dataset;
  const heading = root.parentElement?.querySelector<HTMLElement>('h1, h2[tabindex]');
  const cards = [...root.querySelectorAll<HTMLElement>('li.card')];
  const texts = cards.map((card) => ['.card__title', '.card__text'].map((part) => foldText(card.querySelector(part)?.textContent ?? '')));

  const matching = () => {
    const wanted = foldText(input.value);
    return cards.filter((_, index) => texts[index]?.some((text) => text.includes(wanted)));
  };
  const pageSize = () => (paged !== 'true' ? cards.length : narrow.matches ? narrowSize : serverSize);
  /** Index of the first shown card among the matching ones. */
  let first = Math.max(
    0,
    matching().findIndex((card) => !card.hidden && !(narrow.matches && card.classList.contains('wide-only'))),
  );

  function show(): void {
    const all = matching();
    const size = pageSize();
    first = Math.min(first - (first % size), Math.max(0, Math.ceil(all.length / size) - 1) * size);
    const shown = new Set(all.slice(first, first + size));
    for (const card of cards) {
      card.hidden = !shown.has(card);
      card.classList.remove('wide-only');
    }
    const count = input?.value.trim() ? all.length : 0;
    if (found) found.textContent = count ? `${count} ${count > 1 ? 'préparations trouvées' : 'préparation trouvée'}` : '';
    if (none) none.hidden = all.length > 0;
    if (pagination) drawPages(pagination, Math.ceil(all.length / size), first / size);
  }

  /** Returns the address at which the server shows the same cards. On a narrow screen these cards are half of a server page. */
  function address(from: number): string {
    const query = new URLSearchParams();
    const page = Math.floor(from / serverSize) + 1;
    if (input?.value.trim()) query.set('q', input.value.trim());
    if (page > 1) query.set('page', String(page));
    if (from % serverSize >= narrowSize) query.set('moitie', '2');
    return query.size > 0 ? `${action}?${query}` : action;
  }

  function drawPages(nav: HTMLElement, pages: number, current: number): void {
    nav.hidden = pages < 2;
    nav.classList.remove('narrow-only');
    const links = Array.from({ length: nav.hidden ? 0 : pages }, (_, index) => {
      const link = document.createElement('a');
      link.href = address(index * pageSize());
      link.textContent = String(index + 1);
      link.setAttribute('aria-label', `Page ${index + 1}`);
      if (index === current) link.setAttribute('aria-current', 'page');
      const entry = document.createElement('li');
      entry.append(link);
      return entry;
    });
    nav.querySelector(narrow.matches ? '.narrow-only' : '.wide-only')?.replaceChildren(...links);
  }

  /** Keeps the current search and page in the address. */
  const remember = () => history.replaceState(history.state, '', address(first));

  input.addEventListener('input', () => {
    first = 0;
    show();
  });
  input.addEventListener('change', remember);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    remember();
    // Hides a phone's keyboard, which would cover the results.
    if (narrow.matches) input.blur();
  });
  root.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
    const page = event.target.closest('.pagination a');
    const clears = event.target.closest('[data-clears]');
    if (!page && !clears) return;
    event.preventDefault();
    if (clears) input.value = '';
    first = page ? (Number(page.textContent) - 1) * pageSize() : 0;
    show();
    remember();
    if (clears) input.focus();
    else heading?.focus();
  });
  narrow.addEventListener('change', show);
  show();
}
