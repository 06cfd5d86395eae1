import type { SizesAnswer } from './offline-copy.ts';

/** The part of a prepa that a learner keeps. */
export interface KeepingChoice {
  /** Ids of the disciplines; null: all, including those added later. */
  disciplines: readonly number[] | null;
  pictures: boolean;
  documents: boolean;
}

type Sizes = Pick<SizesAnswer, 'textes' | 'images' | 'documents' | 'disciplines'>;

/** Returns the download size of a choice, in bytes. Pictures shared by disciplines are downloaded once, so their sum is capped at the size of all pictures. */
export function weightOf(sizes: Sizes, choice: KeepingChoice) {
  const chosen = sizes.disciplines.filter(({ id }) => choice.disciplines?.includes(id) ?? true);
  const all = chosen.length === sizes.disciplines.length;
  const sum = (part: 'textes' | 'images' | 'documents') => chosen.reduce((total, discipline) => total + discipline[part], 0);
  const textes = all ? sizes.textes : sum('textes');
  const images = all ? sizes.images.octets : Math.min(sum('images'), sizes.images.octets);
  const documents = all ? sizes.documents.octets : Math.min(sum('documents'), sizes.documents.octets);
  return { textes, images, documents, total: textes + (choice.pictures ? images : 0) + (choice.documents ? documents : 0) };
}

/** Returns the choice of a form. Ticking all disciplines chooses the whole prepa (null). */
export function choiceOf(sizes: Sizes, ticked: readonly number[], more: Omit<KeepingChoice, 'disciplines'>): KeepingChoice {
  const all = sizes.disciplines.every(({ id }) => ticked.includes(id));
  return { ...more, disciplines: all ? null : sizes.disciplines.map(({ id }) => id).filter((id) => ticked.includes(id)) };
}
