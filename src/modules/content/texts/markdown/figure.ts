/**
 * Returns a figure for a paragraph that holds only an image; the image's title becomes the caption. Returns any other element
 * unchanged.
 */
export function asFigure(element: Element): Element {
  const image = element.firstElementChild;
  if (element.localName !== 'p' || image?.localName !== 'img' || element.children.length > 1 || element.textContent?.trim() !== '')
    return element;
  const figure = element.ownerDocument.createElement('figure');
  for (const { name, value } of [...element.attributes]) figure.setAttribute(name, value);
  figure.append(image);
  const caption = image.getAttribute('title');
  if (caption !== null) {
    image.removeAttribute('title');
    figure.append(element.ownerDocument.createElement('figcaption'));
    figure.lastElementChild?.append(caption);
  }
  element.replaceWith(figure);
  return figure;
}
