/** Formats keys of keymap.ts ("Mod-Shift-8") for display on the author's platform and for `aria-keyshortcuts`. */

export const onMac = typeof navigator !== 'undefined' && /Mac|iP(?:hone|[oa]d)/.test(navigator.platform);

const signs = { Enter: 'Entrée', Space: 'Espace', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };
const WORDS: Record<string, string> = onMac
  ? { Mod: '⌘', Ctrl: '⌃', Shift: '⇧', Alt: '⌥', ...signs }
  : { Mod: 'Ctrl', Shift: 'Maj', ...signs };

const ARIA: Record<string, string> = { Mod: onMac ? 'Meta' : 'Control', Ctrl: 'Control' };

const spelt = (keys: string, words: Record<string, string>): string[] =>
  keys.split(/-(?!$)/).map((part) => words[part] ?? (part.length > 1 ? part : part.toUpperCase()));

export const shownKeys = (keys: string): string => spelt(keys, WORDS).join(onMac ? '' : '+');

export const ariaKeys = (keys: string): string => spelt(keys, ARIA).join('+');
