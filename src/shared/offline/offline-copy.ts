import type { ItemKind } from '../item-kinds.ts';

/**
 * What a browser keeps of a prepa to show it without network, as the calls under `/api/hors-ligne` send it and the browser's store holds it
 * (docs/offline.md). Times are ms since 1970 by the server's clock unless said otherwise; sizes are bytes.
 */

/** Raised when what is kept is shaped differently: a copy of another format is fetched anew. */
export const offlineFormat = 1;

/** So many devices keep one prepa at a time. */
export const maxDevicesPerPrepa = 3;

/** Letters of the name that a learner gives a device. */
export const maxDeviceName = 60;

/** A picture of texts: `name` is its content's, as in `/media/content/<name>` (`3f….webp`). */
interface KeptPicture {
  name: string;
  octets: number;
}

interface KeptDocument {
  id: number;
  nom: string;
  octets: number;
  /** From the site's root. */
  url: string;
}

/** An item with its texts, as the study page writes them (`asRead`), pictures under their stored addresses without a signature. */
export interface KeptItem {
  id: number;
  kind: ItemKind;
  titre: string;
  annee: number | null;
  /** Advised minutes. */
  duree: number | null;
  version: number;
  contenu: string;
  corrige: string | null;
  pictures: KeptPicture[];
  documents: KeptDocument[];
}

/** What of a text is another: what stood between `debut` and the last `fin` letters is now `texte`. */
export interface TextChange {
  debut: number;
  fin: number;
  texte: string;
  /** Of the whole new text: a device that does not come to it asks for all of it. */
  somme: number;
}

/** An item of which the device holds the text before, as it is now. */
export type ItemChange = Omit<KeptItem, 'contenu' | 'corrige'> & { contenu: TextChange; corrige: TextChange | null };

export interface KeptDiscipline {
  id: number;
  nom: string;
  description: string;
  /** As cards show it: a cover's address, or null and initials. */
  image: string | null;
  /** Of all items, in the order of the contents: also of those that did not change. */
  items: { id: number; version: number }[];
}

/** The answer with texts: of all items, or of those that the browser does not hold in that version. Items that stand in no discipline's list are gone. */
export interface TextsAnswer {
  format: typeof offlineFormat;
  prepa: { id: number; nom: string };
  /** Of the versions of all that was asked for: the same as long as nothing of it changes. */
  tag: string;
  disciplines: KeptDiscipline[];
  items: KeptItem[];
  /** Of a difference that was asked for with `changements`: items of which the device holds the text before. `wholeItems` makes items of them. */
  changes?: ItemChange[];
}

/** Until when a learner may read a prepa on a device. `said` is the JSON of a `SignedEnd`, `signature` its ECDSA P-256 with SHA-256 in base64url (r and s, 64 bytes). */
export interface EndOfCopy {
  said: string;
  signature: string;
}

export interface SignedEnd {
  /** The learner, as `learnerTag` names them. */
  learner: string;
  /** The device, as the server names it in lists. */
  device: number;
  prepa: number;
  /** The last instant at which it may be read. */
  end: number;
  /** The server's time when it was signed. */
  signedAt: number;
}

/** What a learner has made of an item. */
export interface KeptMark {
  item: number;
  readAt: number;
  finished: boolean;
  verdict: 'reussi' | 'a_revoir' | null;
  /** Of the verdict. */
  markedAt: number | null;
  times: number;
}

/** The marks of whoever asks. */
export interface MarksAnswer {
  learner: string;
  marques: KeptMark[];
}

/** `rouvert`: what was finished by reading is not finished any more. */
export const outboxKinds = ['lu', 'termine', 'rouvert', 'reussi', 'a_revoir'] as const;

/** Something done on a device that the server has not confirmed. */
export interface OutboxEntry {
  /** A UUID made by the device: the server takes each once, of whatever device it comes. */
  cle: string;
  type: (typeof outboxKinds)[number];
  item: number;
  /** When it was done, by the device's clock; the server takes no time after its own. */
  le: number;
}

/** At most so many entries stand in one call. */
export const maxEntriesPerCall = 200;

/** What the server says of a prepa that a device keeps: keep it, take it away, or sign in to renew its end (kept until the end that was signed). */
export type CopyState = 'keep' | 'remove' | 'sign-in';

/** Why a copy is to be removed. */
export type RemovalReason = 'ended' | 'device-removed' | 'session-ended' | 'other-account' | 'prepa-gone';

export interface ContactAnswer {
  now: number;
  /** Null without a session. */
  learner: string | null;
  prepas: {
    id: number;
    state: CopyState;
    /** With `remove`. */
    reason: RemovalReason | null;
    /** With `keep`. */
    end: EndOfCopy | null;
    /** With `keep`: of what the device says that it holds; another one than its own means that there is a difference to fetch. */
    tag: string | null;
  }[];
}

/** What keeping a prepa weighs: texts as they travel compressed (estimated for parts), pictures each once. */
export interface SizesAnswer {
  prepa: { id: number; nom: string };
  /** Of the enrolment. */
  end: number;
  textes: number;
  images: { nombre: number; octets: number };
  /** Pictures of other sites, which are not kept. */
  distantes: number;
  documents: { nombre: number; octets: number };
  disciplines: { id: number; nom: string; contenus: number; textes: number; images: number; documents: number }[];
  /** The learner's devices that keep it, this one too: at most `maxDevicesPerPrepa` may. */
  appareils: { id: number; nom: string; depuis: number; vu: number }[];
}
