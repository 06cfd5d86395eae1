/** A page restored by Back or Forward takes the colours and the letter size that were chosen on a later page. */
export function startAppearance(): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) import('../study/appearance.ts').then(({ applyAppearance }) => applyAppearance(), console.error);
  });
}
