import { foldText } from './search-text.ts';

/** A notification in the API's responses (specification §3). */
export interface NotificationData {
  id: number;
  /** HTML written by the server. */
  message: string;
  lu: boolean;
  /** ISO 8601. */
  date_creation: string;
}

/** Tabs of the panel and the page; `name` is used in the page's address. */
export const notificationTabs = [
  { name: 'toutes', label: 'Toutes', empty: 'Aucune notification' },
  { name: 'non-lues', label: 'Non lues', empty: 'Aucune notification non lue' },
  { name: 'lues', label: 'Lues', empty: 'Aucune notification lue' },
] as const;
export type NotificationTab = (typeof notificationTabs)[number]['name'];

export const nothingFound = 'Aucune notification ne correspond à votre recherche.';

const belongs = (tab: NotificationTab, { lu }: Pick<NotificationData, 'lu'>): boolean => tab === 'toutes' || lu === (tab === 'lues');

/** Returns the number of notifications in each tab, ignoring any search. */
export function countByTab(list: readonly Pick<NotificationData, 'lu'>[]): Record<NotificationTab, number> {
  const unread = list.filter(({ lu }) => !lu).length;
  return { toutes: list.length, 'non-lues': unread, lues: list.length - unread };
}

/** Returns the notifications of a tab that contain the searched text, ignoring case and accents. */
export function selectNotifications<Row extends Pick<NotificationData, 'lu' | 'message'>>(
  list: readonly Row[],
  tab: NotificationTab,
  search: string,
): Row[] {
  const wanted = foldText(search);
  return list.filter((row) => belongs(tab, row) && foldText(textOf(row.message)).includes(wanted));
}

/** Returns the tabs with labels like 'Non lues (3)'; without counts if the list could not be read. */
export function tabLabels(list: readonly Pick<NotificationData, 'lu'>[] | null): { name: NotificationTab; label: string }[] {
  const counts = list && countByTab(list);
  return notificationTabs.map(({ name, label }) => ({ name, label: counts ? `${label} (${counts[name]})` : label }));
}

/** Maximum number of notifications in the list, which shows the newest. Older notifications are not deleted. */
export const maxListed = 200;

/** Returns a note for a list that may be incomplete; null for a complete one. */
export const listedNote = (list: readonly unknown[]): string | null =>
  list.length < maxListed ? null : `Les ${maxListed} plus récentes sont affichées.`;

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

const textOf = (message: string): string =>
  message.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:lt|gt|quot|amp);/g, (sign) => entities[sign] ?? sign);
