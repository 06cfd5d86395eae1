import { toast } from '../ui/toast.ts';

const sign = 'mphantom:not(.f-phantom)';
let isStarted = false;

/** Copies formulas as linear text, `(n+6)/(n+3)`: browsers would put each sign on its own line. A second call does nothing. */
export function start(): void {
  if (isStarted) return;
  isStarted = true;
  document.addEventListener('copy', (event) => {
    if (event.defaultPrevented || !event.clipboardData || (event.target as Element).closest?.('input, textarea, [contenteditable="true"]'))
      return;
    const part = selectedPart();
    if (!part?.querySelector('math')) return;
    event.preventDefault();
    const html = htmlOf(part);
    event.clipboardData.setData('text/html', html);
    event.clipboardData.setData('text/plain', textOf(part.cloneNode(true) as HTMLElement, lineOf));
    const copyLatex = () => {
      copyAsLatex(part, html).then(
        () => toast('success', 'Copié en LaTeX.'),
        () => toast('error', "La copie en LaTeX n'a pas réussi. Réessayez."),
      );
    };
    toast('info', 'Formules copiées en texte.', { text: 'Copier en LaTeX', run: copyLatex });
  });
}

/** Returns a copy of the selected content. A partly selected formula is copied whole. */
function selectedPart(): HTMLElement | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return null;
  const part = document.createElement('div');
  part.className = 'prose';
  for (let index = 0; index < selection.rangeCount; index += 1) {
    const range = selection.getRangeAt(index).cloneRange();
    const [first, last] = [formulaAround(range.startContainer), formulaAround(range.endContainer)];
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    part.append(range.cloneContents());
  }
  return part;
}

const formulaAround = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement)?.closest('math') ?? null;

/** Returns HTML in which the signs for readers without MathML take no space where MathML is rendered. */
function htmlOf(part: HTMLElement): string {
  const copy = part.cloneNode(true) as HTMLElement;
  for (const found of copy.querySelectorAll(sign)) {
    const padded = document.createElementNS(found.namespaceURI, 'mpadded');
    for (const name of ['width', 'height', 'depth']) padded.setAttribute(name, '0');
    found.replaceWith(padded);
    padded.append(found);
  }
  for (const name of ['href', 'src'])
    for (const found of copy.querySelectorAll(`[${name}]`))
      found.setAttribute(name, new URL(found.getAttribute(name) ?? '', document.baseURI).href);
  return copy.innerHTML;
}

const lineOf = (math: Element): string =>
  (math.textContent ?? '')
    .replaceAll(/[\u2061-\u2064]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns the visible text, with each formula written by `write`. Changes `part`. */
function textOf(part: HTMLElement, write: (math: Element) => string): string {
  for (const math of part.querySelectorAll('math')) math.replaceWith(write(math));
  for (const picture of part.querySelectorAll('img, video, iframe')) picture.remove();
  part.setAttribute('aria-hidden', 'true');
  Object.assign(part.style, { position: 'fixed', insetInlineStart: '-200vw' });
  document.body.append(part);
  const text = part.innerText;
  part.remove();
  return text;
}

async function copyAsLatex(part: HTMLElement, html: string): Promise<void> {
  const writing = import('../../src/shared/rich-text/foreign/formulas/mathml-to-latex.ts').then(({ mathMlToLatex }) =>
    textOf(part.cloneNode(true) as HTMLElement, (math) => {
      const mark = math.getAttribute('display') === 'block' ? '$$' : '$';
      const latex = mathMlToLatex(math);
      return latex === null ? lineOf(math) : mark + latex + mark;
    }),
  );
  const blob = (text: string, type: string) => new Blob([text], { type });
  // Pass the promise: after an await, Safari would no longer accept the write as part of the user's action.
  await navigator.clipboard.write([
    new ClipboardItem({ 'text/plain': writing.then((text) => blob(text, 'text/plain')), 'text/html': blob(html, 'text/html') }),
  ]);
}
