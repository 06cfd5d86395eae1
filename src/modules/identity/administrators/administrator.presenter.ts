import type { FastifyRequest } from 'fastify';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { MenuEntry } from '../../../platform/pages/administration-menu.ts';
import { type AdministratorRole, roleNames } from '../../../shared/forms/administrator.ts';

/** Returns the administrator for the navigation bar, with the menu entries of their role. */
export async function presentAdministratorViewer(request: FastifyRequest, menu: readonly MenuEntry[]) {
  if (!request.administrator) return null;
  const { username, role } = request.administrator;
  const own = menu.filter(({ superAdministratorsOnly }) => !superAdministratorsOnly || role === 'super_admin');
  const waiting = await countWaiting(request, role, own);
  return {
    username,
    initial: (username[0] ?? 'A').toUpperCase(),
    role: roleNames[role],
    /** `aria-current` of the link to the administrator's own account. */
    onAccount: currentness(request.url.split('?', 1)[0] ?? '', '/admin/compte', []),
    sections: presentSections(own, request.url).map((section, index) => ({ ...section, waiting: waiting[index] ?? 0 })),
    waiting: waiting.reduce((total, count) => total + count, 0),
  };
}

/** Returns the menu entries with their `aria-current`. @param url address of the page, with its query string */
export function presentSections(menu: readonly MenuEntry[], url: string) {
  const path = url.split('?', 1)[0] ?? '';
  return menu.map(({ href, name, within = [] }) => ({ href, name, current: currentness(path, href, within) }));
}

/** Returns the `aria-current` of an entry: 'page' for the open page, 'true' for another page of its section. */
function currentness(path: string, href: string, within: string[]): 'page' | 'true' | null {
  if (path === href) return 'page';
  return [href, ...within].some((start) => path.startsWith(`${start}/`)) ? 'true' : null;
}

/** Returns the number of waiting tasks by entry. On an error the menu is shown without numbers. */
async function countWaiting(request: FastifyRequest, role: AdministratorRole, menu: readonly MenuEntry[]): Promise<number[]> {
  const counts = menu.map(({ waiting }) => (waiting ? `(${waiting})` : '0')).join(', ');
  const statement = namedStatement<{ counts: number[] }>({
    name: `identity.menu-of-${role}`,
    text: `select array[${counts}]::int[] as counts`,
  });
  try {
    const [row] = await statement(request.em, []);
    return row?.counts ?? [];
  } catch (error) {
    request.log.error({ err: error }, 'what waits could not be counted');
    return [];
  }
}
