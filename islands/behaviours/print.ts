/** `data-behaviour="print"`: a button that prints the page. Without script it stays hidden. */
export function start(button: HTMLElement): void {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
