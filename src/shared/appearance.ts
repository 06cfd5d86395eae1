/** A reader's choice of colours and letter size. This browser keeps it in a cookie. */
export interface Appearance {
  theme: Theme;
  /** Step of the letter size, an index of `letterSizes`. */
  letters: number;
}

export const themes = ['auto', 'clair', 'sombre'] as const;
type Theme = (typeof themes)[number];

/** Name of the cookie, without the prefix that it has over HTTPS. */
export const appearanceCookie = 'affichage';
/** Lifetime of the cookie, in seconds. */
export const appearanceSeconds = 365 * 86_400;

/** Number of letter sizes; options.css has the size of each step. */
const letterSizes = 5;
const initial: Appearance = { theme: 'auto', letters: 1 };

/** Changes of the letter size, as forms send them. */
export const letterChanges = ['moins', 'plus'] as const;

/** A change: the other value stays. */
export interface AppearanceChange {
  theme?: Theme | undefined;
  lettres?: (typeof letterChanges)[number] | undefined;
}

/** Returns the choice in a cookie's value; the initial one for a missing or invalid value. */
export function readAppearance(value: string | undefined): Appearance {
  const [, theme, letters] = /^(\w+)\.(\d)$/.exec(value ?? '') ?? [];
  return themes.includes(theme as Theme) && Number(letters) < letterSizes ? { theme: theme as Theme, letters: Number(letters) } : initial;
}

export const writeAppearance = ({ theme, letters }: Appearance): string => `${theme}.${letters}`;

/** Returns the choice after a change; the letter size stays within its limits. */
export const changedAppearance = (before: Appearance, { theme, lettres }: AppearanceChange): Appearance => ({
  theme: theme ?? before.theme,
  letters: Math.min(Math.max(before.letters + (lettres ? letterChanges.indexOf(lettres) * 2 - 1 : 0), 0), letterSizes - 1),
});

export const isInitial = ({ theme, letters }: Appearance): boolean => theme === initial.theme && letters === initial.letters;
