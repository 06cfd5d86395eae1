import { roleNames } from '../../../shared/forms/administrator.ts';
import type { SignedInAdministrator } from '../sessions/sessions.ts';

interface Section {
  href: string;
  name: string;
  /** Addresses below which this section is the current one. */
  within: string[];
  superOnly?: boolean;
}

const sections: Section[] = [
  { href: '/admin/dashboard', name: 'Préparations', within: ['/admin/dashboard', '/admin/discipline'] },
  { href: '/admin/paiements', name: 'Paiements', within: ['/admin/paiements'], superOnly: true },
  { href: '/admin/administrateurs', name: 'Administrateurs', within: ['/admin/administrateurs'], superOnly: true },
  { href: '/admin/cles', name: 'Clés', within: ['/admin/cles'], superOnly: true },
  { href: '/admin/journal', name: 'Journal', within: ['/admin/journal'], superOnly: true },
  { href: '/api/docs', name: 'API', within: ['/api/docs'] },
];

/**
 * An administrator as the navigation bar shows it.
 * @param url of the page, with its query string
 */
export function presentAdministratorViewer(administrator: SignedInAdministrator | null, url: string) {
  if (!administrator) return null;
  const { username, role } = administrator;
  const path = url.split('?', 1)[0] ?? '';
  return {
    username,
    initial: (username[0] ?? 'A').toUpperCase(),
    role: roleNames[role],
    sections: sections
      .filter(({ superOnly }) => !superOnly || role === 'super_admin')
      .map(({ href, name, within }) => ({ href, name, current: currentness(path, href, within) })),
  };
}

/** As `aria-current` has it: the page itself, or a page of its section. */
function currentness(path: string, href: string, within: string[]): 'page' | 'true' | null {
  if (path === href) return 'page';
  return within.some((start) => path.startsWith(`${start}/`)) ? 'true' : null;
}
