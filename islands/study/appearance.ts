import {
  type Appearance,
  type AppearanceChange,
  appearanceCookie,
  appearanceSeconds,
  changedAppearance,
  readAppearance,
  writeAppearance,
} from '../../src/shared/appearance.ts';

const isSecure = location.protocol === 'https:';
/** The cookie's name as the server writes it (`ownCookie`). */
const cookie = isSecure ? `__Host-${appearanceCookie}` : appearanceCookie;

/** Makes the menu's forms change the open page at once, without a request. */
export function start(menu: HTMLElement): void {
  markTheme(menu, chosen());
  menu.addEventListener('submit', (event) => {
    const { name, value } = event.submitter as HTMLButtonElement;
    event.preventDefault();
    const next = changedAppearance(chosen(), { [name]: value } as AppearanceChange);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in browsers that learners use
    document.cookie = `${cookie}=${writeAppearance(next)};path=/;max-age=${appearanceSeconds};samesite=lax${isSecure ? ';secure' : ''}`;
    applyAppearance();
    markTheme(menu, next);
  });
}

/** Shows the page in the colours and the letter size of this browser's cookie. */
export function applyAppearance(): void {
  const element = document.querySelector<HTMLElement>('.appearance') ?? document.createElement('span');
  Object.assign(element, { className: 'appearance', hidden: true });
  const { theme, letters } = chosen();
  Object.assign(element.dataset, { theme, letters });
  if (!element.isConnected) document.body.append(element);
}

function chosen(): Appearance {
  const entry = document.cookie.split('; ').find((entry) => entry.startsWith(`${cookie}=`));
  return readAppearance(entry?.slice(cookie.length + 1));
}

function markTheme(menu: HTMLElement, { theme }: Appearance): void {
  for (const button of menu.querySelectorAll<HTMLButtonElement>('[name="theme"]')) button.ariaPressed = String(button.value === theme);
}
