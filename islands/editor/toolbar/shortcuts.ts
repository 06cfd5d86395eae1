/** Keys as keymap.ts writes them ("Mod-Shift-8"), said as the person's keyboard has them, and as `aria-keyshortcuts` wants them. */

export const onMac = typeof navigator !== 'undefined' && /Mac|iP(?:hone|[oa]d)/.test(navigator.platform);

const WORDS: Record<string, string> = onMac
  ? { Mod: '⌘', Ctrl: '⌃', Shift: '⇧', Alt: '⌥', Space: 'Espace', ArrowLeft: '←', ArrowRight: '→' }
  : { Mod: 'Ctrl', Shift: 'Maj', Space: 'Espace', ArrowLeft: '←', ArrowRight: '→' };

export function shownKeys(keys: string): string {
  return partsOf(keys)
    .map((part) => WORDS[part] ?? (part.length > 1 ? part : part.toUpperCase()))
    .join(onMac ? '' : '+');
}

export function ariaKeys(keys: string): string {
  return partsOf(keys)
    .map((part) => ARIA[part] ?? (part.length > 1 ? part : part.toUpperCase()))
    .join('+');
}

const ARIA: Record<string, string> = { Mod: onMac ? 'Meta' : 'Control', Ctrl: 'Control' };

const partsOf = (keys: string): string[] => keys.split(/-(?!$)/);
