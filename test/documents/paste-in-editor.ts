import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page } from 'playwright-core';
import { Node } from 'prosemirror-model';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';
import { countClipboard } from './count-clipboard.ts';
import { countDocument } from './count-document.ts';
import type { Measured } from './losses.ts';

/** What stands on a clipboard, by type. */
export type Clipboard = Readonly<Record<string, string>>;

/**
 * Empties the editor that is open on the page, pastes as a browser does, and reads the text that came of it.
 *
 * @returns the document, and what the author was told
 */
export async function paste(page: Page, clipboard: Clipboard): Promise<{ doc: Node; said: string[] }> {
  const area = page.locator('.ProseMirror').filter({ visible: true });
  await area.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Backspace');
  await area.evaluate((element, types) => {
    document.getElementById('toasts')?.replaceChildren();
    const data = new DataTransfer();
    for (const [type, text] of Object.entries(types)) data.setData(type, text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, clipboard);
  // The first paste fetches what reads other programs' HTML.
  await page.waitForFunction((element) => !element?.querySelector('.editor__empty'), await area.elementHandle());
  return {
    doc: Node.fromJSON(richTextSchema, await area.evaluate((element) => (element as unknown as View).pmViewDesc.node.toJSON())),
    said: await page.locator('#toasts .toast__text').allTextContents(),
  };
}

/** What ProseMirror keeps at the element that it writes into. */
interface View {
  pmViewDesc: { node: { toJSON(): unknown } };
}

/** Pastes a file of HTML from a clipboard into the open editor, and counts both sides. */
export async function measurePaste(page: Page, path: string): Promise<Measured> {
  const html = readFileSync(path, 'utf8');
  const { doc, said } = await paste(page, { 'text/html': html, 'text/plain': 'texte' });
  const { emptyHeadings, ...source } = countClipboard(html);
  const rules = emptyHeadings > 0 ? [`${emptyHeadings} titres vides sont des lignes vides.`] : [];
  // A message holds several sentences, each about one kind of loss.
  return { file: basename(path), source, result: countDocument(doc), said: [...said.flatMap((text) => text.split(/(?<=\.) /)), ...rules] };
}
