import { formatBytes } from '../../../../src/shared/bytes.ts';
import { formatDate, formatInstant } from '../../../../src/shared/dates.ts';
import { readableCopies } from '../../both/access.ts';
import { onChange } from '../../both/store/changes.ts';
import { type Contacted, keepInContact } from '../contact.ts';
import { missingFiles } from '../kept-files.ts';
import { lackOf } from '../lack.ts';
import { type Copy, openStore, type Store } from '../store/store.ts';
import { countOf, itemsAmong } from '../waiting.ts';
import { partOf, whyTaken, words } from './words.ts';

/** Shows /user/hors-ligne: the prepas kept on this device, with links to read and change each. Updates when another tab changes them. */
export async function showDevice(root: HTMLElement): Promise<void> {
  const place = partOf(root, 'state');
  if (!place) return;
  const intro = [...place.children];
  let removed: Contacted['removed'] = [];
  const show = async (): Promise<void> => {
    const gone = removed.map(({ nom, reason }) => words(root, 'taken', { name: nom, why: whyTaken[reason] }));
    place.replaceChildren(...gone, ...(await listed(root, intro)));
  };
  await show();
  onChange(() => void show());
  keepInContact((contacted) => {
    removed = [...removed, ...contacted.removed];
    void show();
  });
}

async function listed(root: HTMLElement, intro: readonly Element[]): Promise<Node[]> {
  try {
    const store = await openStore();
    const copies = await readableCopies();
    if (copies.length === 0) return [words(root, 'none')];
    const cards = await Promise.all(copies.toSorted(byName).map(async (copy) => card(root, copy, lackOf(await missingFiles([copy.id])))));
    return [...intro, ...cards, ...(await unsent(root, store))];
  } catch {
    return [words(root, 'refused')];
  }
}

const byName = (one: Copy, other: Copy): number => one.nom.localeCompare(other.nom, 'fr');

function card(root: HTMLElement, copy: Copy, lack: readonly string[]): DocumentFragment {
  const { id, nom, complete, bytes, download = bytes, updatedAt, endAt } = copy;
  const said = words(root, complete ? 'copy' : 'partial', {
    name: nom,
    bytes: formatBytes(download),
    updated: formatInstant(new Date(updatedAt)),
    end: formatDate(new Date(endAt)),
  });
  const place = said.querySelector('[data-part="lack"]');
  if (place && lack.length > 0) place.append(words(root, 'lacking', { lack: lack.join() }));
  const links = { open: `/user/prepa/${id}`, keep: `/user/prepa/${id}/hors-ligne` };
  for (const [name, href] of Object.entries(links)) {
    const link = said.querySelector<HTMLAnchorElement>(`[data-link="${name}"]`);
    if (!link) continue;
    link.href = href;
    const more = document.createElement('span');
    more.className = 'visually-hidden';
    more.append(` ${nom}`);
    link.append(more);
  }
  return said;
}

async function unsent(root: HTMLElement, store: Store): Promise<Node[]> {
  const entries = await store.entries();
  return entries.length > 0 ? [words(root, 'unsent', { count: countOf(itemsAmong(entries)) })] : [];
}
