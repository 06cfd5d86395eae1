import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { Node } from 'prosemirror-model';
import { richTextSchema } from '../../src/shared/rich-text/schema.ts';
import { countClipboard } from './count-clipboard.ts';
import { countDocument } from './count-document.ts';
import type { Measured } from './losses.ts';

/** Content of a clipboard or of a drag. */
export interface Clipboard {
  /** Text by MIME type. */
  readonly types?: Readonly<Record<string, string>>;
  readonly files?: readonly { readonly name: string; readonly type: string; readonly base64: string }[];
}

/** Returns the open text's element. */
export const area = (page: Page): Locator => page.locator('.ProseMirror').filter({ visible: true });

/** Returns the open text as a ProseMirror document. */
export async function textOn(page: Page): Promise<Node> {
  return Node.fromJSON(richTextSchema, await area(page).evaluate((element) => (element as unknown as View).pmViewDesc.node.toJSON()));
}

/** ProseMirror's property of its editable element. */
interface View {
  pmViewDesc: { node: { toJSON(): unknown } };
}

/** Empties the open text. */
export async function empty(page: Page): Promise<void> {
  await area(page).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Backspace');
  await page.locator('#toasts').evaluate((toasts) => toasts.replaceChildren());
}

/** Dispatches a paste or drop event with a clipboard; `drop` happens over the text's first line. */
export function give(page: Page, event: 'paste' | 'drop', { types = {}, files = [] }: Clipboard): Promise<void> {
  return area(page).evaluate(
    (element, { event, types, files }) => {
      const data = new DataTransfer();
      for (const [type, text] of Object.entries(types)) data.setData(type, text);
      for (const { name, type, base64 } of files) {
        data.items.add(new File([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], name, { type }));
      }
      const how = { bubbles: true, cancelable: true };
      const { left, top } = element.getBoundingClientRect();
      const place = { clientX: left + 40, clientY: top + 30 };
      element.dispatchEvent(
        event === 'paste'
          ? new ClipboardEvent('paste', { ...how, clipboardData: data })
          : new DragEvent('drop', { ...how, ...place, dataTransfer: data }),
      );
    },
    { event, types, files },
  );
}

/** Pastes into an empty text and waits until it has content. */
export async function paste(page: Page, clipboard: Clipboard): Promise<Node> {
  await empty(page);
  await give(page, 'paste', clipboard);
  // The first paste loads the script that converts foreign HTML.
  await page.waitForFunction((element) => !element?.querySelector('.editor__empty'), await area(page).elementHandle());
  return textOn(page);
}

/** Returns the messages shown to the author. */
export const told = (page: Page): Promise<string[]> => page.locator('#toasts .toast__text').allTextContents();

/** Pastes an HTML file into the open editor, and counts both sides. */
export async function measurePaste(page: Page, path: string): Promise<Measured> {
  const html = readFileSync(path, 'utf8');
  const doc = await paste(page, { types: { 'text/html': html, 'text/plain': 'texte' } });
  const { emptyHeadings, ...source } = countClipboard(html);
  const rules = emptyHeadings > 0 ? [`${emptyHeadings} titres vides sont des lignes vides.`] : [];
  // A message has several sentences, each about one kind of loss.
  const said = (await told(page)).flatMap((text) => text.split(/(?<=\.) /));
  return { file: basename(path), source, result: countDocument(doc), said: [...said, ...rules] };
}
