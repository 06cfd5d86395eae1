import { closest } from './closest.ts';

/** A tap on a figure opens its picture large in the page. Without script, the figure's link opens the picture alone. */
export function startFigures(): void {
  document.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = closest(event, 'figure > a');
    if (!(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    import('./large-figure.ts').then(
      ({ showLarge }) => showLarge(link),
      () => location.assign(link.href),
    );
  });
}
