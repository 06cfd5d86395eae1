/** Largest count in the menu; '99+' is shown for more. */
export const maxWaiting = 99;

/** An entry of the administration's menu. */
export interface MenuEntry {
  href: string;
  name: string;
  /** Entries are sorted by this number, ascending. */
  order: number;
  /** Path prefixes, besides `href`, under which the entry is marked as current. */
  within?: string[];
  superAdministratorsOnly?: boolean;
  /**
   * SQL of the count beside the entry, `select count(*) …`, limited to `maxWaiting` + 1 rows of each kind. The counts of all visible
   * entries are read in one statement.
   */
  waiting?: string;
}
