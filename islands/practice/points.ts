import { describeMark, faultOfPoints, parsePoints, sumOf } from '../../src/shared/study/points.ts';

/** Returns the mark that typed points add up to, in French; '' before the first, and while one cannot be given. */
export function totalText(typed: readonly string[], maxima: readonly number[]): string {
  if (typed.every((text) => text.trim() === '')) return '';
  if (typed.some((text, index) => faultOfPoints(text, maxima[index] ?? 0))) return '';
  return `Votre note : ${describeMark(sumOf(typed.map((text) => parsePoints(text) ?? 0)), sumOf(maxima))}`;
}

/** `data-behaviour="points"`: shows the sum of its fields in `[data-points-total]`. */
export function start(element: HTMLElement): void {
  const fields = [...element.querySelectorAll<HTMLInputElement>('input[name="points[]"]')];
  const total = element.querySelector('[data-points-total]') as HTMLOutputElement;
  const maxima = fields.map(({ dataset }) => Number(dataset.max));
  const show = (): void => {
    total.value = totalText(
      fields.map(({ value }) => value),
      maxima,
    );
  };
  element.addEventListener('input', show);
  show();
}
