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
    .map((part) =>
      part === 'Mod'
        ? onMac
          ? 'Meta'
          : 'Control'
        : part === 'Ctrl'
          ? 'Control'
          : part.toUpperCase() === part.toLowerCase() || part.length > 1
            ? part
            : part.toUpperCase(),
    )
    .join('+');
}

const partsOf = (keys: string): string[] => keys.split(/-(?!$)/);
