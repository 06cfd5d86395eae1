import type { SizesAnswer } from './offline-copy.ts';

/** What a learner keeps of a prepa. */
export interface KeepingChoice {
  /** Their ids; null: all of them, those that are added later too. */
  disciplines: readonly number[] | null;
  pictures: boolean;
  documents: boolean;
}

type Sizes = Pick<SizesAnswer, 'textes' | 'images' | 'documents' | 'disciplines'>;

/** What a choice weighs on its way, in bytes. A picture of several disciplines comes once: their sum is at most what all pictures weigh. */
export function weightOf(sizes: Sizes, choice: KeepingChoice) {
  const chosen = sizes.disciplines.filter(({ id }) => choice.disciplines?.includes(id) ?? true);
  const all = chosen.length === sizes.disciplines.length;
  const sum = (part: 'textes' | 'images' | 'documents') => chosen.reduce((total, discipline) => total + discipline[part], 0);
  const textes = all ? sizes.textes : sum('textes');
  const images = all ? sizes.images.octets : Math.min(sum('images'), sizes.images.octets);
  const documents = all ? sizes.documents.octets : Math.min(sum('documents'), sizes.documents.octets);
  return { textes, images, documents, total: textes + (choice.pictures ? images : 0) + (choice.documents ? documents : 0) };
}

/** All disciplines that there are is a choice of the whole prepa. */
export function choiceOf(sizes: Sizes, ticked: readonly number[], more: Omit<KeepingChoice, 'disciplines'>): KeepingChoice {
  const all = sizes.disciplines.every(({ id }) => ticked.includes(id));
  return { ...more, disciplines: all ? null : sizes.disciplines.map(({ id }) => id).filter((id) => ticked.includes(id)) };
}
