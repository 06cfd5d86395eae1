/** Elements that are dropped without a note. */
export const SILENT = new Set(
  'head style link meta title base template noscript param source track xml wbr datalist area rp script'.split(' '),
);

/** Block elements, in which loose text becomes paragraphs. */
export const BOXES = new Set(
  (
    'div section article main header footer aside address center details summary fieldset legend hgroup dl dd body html form figure ' +
    'figcaption caption search optgroup noframes p dt h1 h2 h3 h4 h5 h6 li blockquote ul ol menu dir table pre tr td th tbody thead tfoot ' +
    'listing xmp'
  ).split(' '),
);

export const FRAMES = new Set(['iframe', 'video', 'audio', 'embed', 'object', 'lite-youtube', 'lite-vimeo', 'applet', 'frame']);
export const FIELDS = new Set(['input', 'select', 'textarea', 'button', 'meter', 'progress', 'output']);
export const LISTS = new Set(['ul', 'ol', 'menu', 'dir']);
export const DRAWINGS = new Set(['svg', 'canvas']);
