import type { MenuEntry } from '../../../platform/pages/views.ts';
import { roleNames } from '../../../shared/forms/administrator.ts';
import type { SignedInAdministrator } from '../sessions/sessions.ts';

/**
 * An administrator as the navigation bar shows it.
 * @param url of the page, with its query string
 */
export function presentAdministratorViewer(administrator: SignedInAdministrator | null, menu: readonly MenuEntry[], url: string) {
  if (!administrator) return null;
  const { username, role } = administrator;
  const path = url.split('?', 1)[0] ?? '';
  return {
    username,
    initial: (username[0] ?? 'A').toUpperCase(),
    role: roleNames[role],
    sections: menu
      .filter(({ superAdministratorsOnly }) => !superAdministratorsOnly || role === 'super_admin')
      .map(({ href, name, within = [] }) => ({ href, name, current: currentness(path, href, within) })),
  };
}

/** As `aria-current` has it: the page itself, or a page of its section. */
function currentness(path: string, href: string, within: string[]): 'page' | 'true' | null {
  if (path === href) return 'page';
  return [href, ...within].some((start) => path.startsWith(`${start}/`)) ? 'true' : null;
}
