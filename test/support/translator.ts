import type { Page } from 'playwright-core';

/**
 * A browser's page translation. `begins`: before the page's scripts run, or when the test calls `translate` with that moment. `goesOn`:
 * later changes are translated too. `inPlace`: it changes text nodes, as Safari does; Chrome replaces a text node by a new one inside two
 * `<font>` elements.
 */
export interface Translator {
  begins: 'before' | 'during' | 'after';
  goesOn: boolean;
  inPlace?: boolean;
}

/** Translates the pages that `page` opens from now on into capitals, so that tests still recognise the texts. */
export async function translatePages(page: Page, translator: Translator): Promise<void> {
  await page.addInitScript(install, translator);
}

/** Translates the page if the translator begins at this moment of its hydration. */
export async function translate(page: Page, translator: Translator, moment: Translator['begins']): Promise<void> {
  if (translator.begins === moment && moment !== 'before') await page.evaluate(() => window.translatePage());
}

declare global {
  interface Window {
    translatePage: () => void;
  }
}

/** Runs in the page. */
function install({ begins, goesOn, inPlace }: Translator): void {
  const inCapitals = (text: Text): void => {
    const parent = text.parentElement;
    if (!parent || parent.localName === 'font' || parent.closest('head, script, style, textarea, [translate="no"]')) return;
    const translated = text.data.toLocaleUpperCase('fr');
    if (inPlace) {
      if (text.data !== translated) text.data = translated;
      return;
    }
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    outer.append(inner);
    inner.append(translated);
    text.replaceWith(outer);
  };
  window.translatePage = () => {
    const translateAll = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      for (let text = texts.currentNode as Node | null; text; text = texts.nextNode()) if (text instanceof Text) found.push(text);
      found.forEach(inCapitals);
    };
    translateAll(document);
    if (!goesOn) return;
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records)
        for (const node of type === 'childList' ? addedNodes : [target]) translateAll(node);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  };
  // Module scripts run after 'interactive'.
  document.addEventListener('readystatechange', () => {
    if (begins === 'before' && document.readyState === 'interactive') window.translatePage();
  });
}
