import { foldText } from './search-text.ts';

/** A notification as the API answers it (specification §3). */
export interface NotificationData {
  id: number;
  /** HTML that the server wrote. */
  message: string;
  lu: boolean;
  /** ISO 8601. */
  date_creation: string;
}

/** The tabs of panel and page, by their name in the page's address. */
export const notificationTabs = [
  { name: 'toutes', label: 'Toutes', empty: 'Aucune notification' },
  { name: 'non-lues', label: 'Non lues', empty: 'Aucune notification non lue' },
  { name: 'lues', label: 'Lues', empty: 'Aucune notification lue' },
] as const;
export type NotificationTab = (typeof notificationTabs)[number]['name'];

export const nothingFound = 'Aucune notification ne correspond à votre recherche.';

const belongs = (tab: NotificationTab, { lu }: Pick<NotificationData, 'lu'>): boolean => tab === 'toutes' || lu === (tab === 'lues');

/** How many each tab holds, whatever is searched for. */
export function countByTab(list: readonly Pick<NotificationData, 'lu'>[]): Record<NotificationTab, number> {
  const unread = list.filter(({ lu }) => !lu).length;
  return { toutes: list.length, 'non-lues': unread, lues: list.length - unread };
}

/** Those of a tab whose text holds what is searched for, without regard to case and accents. */
export function selectNotifications<Row extends Pick<NotificationData, 'lu' | 'message'>>(
  list: readonly Row[],
  tab: NotificationTab,
  search: string,
): Row[] {
  const wanted = foldText(search);
  return list.filter((row) => belongs(tab, row) && foldText(textOf(row.message)).includes(wanted));
}

/** Every tab's label with its count, 'Non lues (3)'; without it where the list could not be read. */
export function tabLabels(list: readonly Pick<NotificationData, 'lu'>[] | null): { name: NotificationTab; label: string }[] {
  const counts = list && countByTab(list);
  return notificationTabs.map(({ name, label }) => ({ name, label: counts ? `${label} (${counts[name]})` : label }));
}

/** Notifications that are listed at most; older ones are kept. */
export const maxListed = 200;

/** Under a list that may not be all; null under a whole one. */
export const listedNote = (list: readonly unknown[]): string | null =>
  list.length < maxListed ? null : `Les ${maxListed} plus récentes sont affichées.`;

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** What a message says, without its tags. */
const textOf = (message: string): string =>
  message.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:lt|gt|quot|amp);/g, (sign) => entities[sign] ?? sign);
