import { openModal } from '../ui/modal.ts';

/** Shows a figure's picture in a dialog as large as the window. A tap on the picture, Enter or Space zooms in and out. */
export function showLarge(link: HTMLAnchorElement): void {
  const [small] = link.getElementsByTagName('img');
  const dialog = document.createElement('dialog');
  dialog.className = 'large-figure';
  dialog.ariaLabel = small?.alt || 'Figure';
  dialog.innerHTML =
    '<button class="button button--secondary" type="button" data-closes>Fermer</button><button class="large-figure__zoom" type="button" aria-pressed="false"><img></button>';
  const [, zoom] = dialog.getElementsByTagName('button');
  const [picture] = dialog.getElementsByTagName('img');
  if (!zoom || !picture) return;
  picture.src = link.href;
  picture.alt = `Agrandir : ${dialog.ariaLabel}`;
  zoom.addEventListener('click', ({ clientX, clientY, detail }) => {
    const box = picture.getBoundingClientRect();
    const isLarge = dialog.classList.toggle('large-figure--zoomed');
    zoom.ariaPressed = String(isLarge);
    if (!isLarge || detail === 0) return;
    // The tapped point stays below the finger.
    const after = picture.getBoundingClientRect();
    dialog.scrollBy(
      ((clientX - box.left) / box.width) * after.width + after.left - clientX,
      ((clientY - box.top) / box.height) * after.height + after.top - clientY,
    );
  });
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  openModal(dialog);
}
