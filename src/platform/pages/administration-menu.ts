/** The menu's counts end here: '99+' stands for more. */
export const maxWaiting = 99;

/** An entry of the administration's menu. */
export interface MenuEntry {
  href: string;
  name: string;
  /** Entries stand in ascending order. */
  order: number;
  /** Addresses below which the entry is the current one too, besides its own. */
  within?: string[];
  superAdministratorsOnly?: boolean;
  /** SQL: how much waits there for somebody, `select count(*) …`, ending at `maxWaiting` + 1 of each kind. Of all entries that somebody may see in one statement. */
  waiting?: string;
}
