import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { siteSecret } from '../../../../platform/database/site-secret.ts';
import { dayMs } from '../../../../shared/dates.ts';

/**
 * The addresses under which readers see the pictures of texts: signed, with an end (docs/decisions/068-paid-pictures.md). Stored texts name a picture by
 * `/media/content/…`; a page that shows it adds whose it is. The same for all readers of a text, so that pages stay compressed once for all.
 */

/** All addresses that are written within so many days end together: between one and two of them later. */
const periodDays = 30;

/** The end of the addresses that are written now, in days since 1970: a part of what pages with texts are kept by. */
export const endOfAddresses = (now: Date): number => (Math.floor(now.getTime() / dayMs / periodDays) + 2) * periodDays;

/** For whom a picture's address is: whoever may study a prepa, by its id, or everybody, since the trial shows it. */
export type Audience = number | 'libre';

/** What a valid address says. */
export interface SignedAddress {
  audience: Audience;
  /** In ms since 1970. */
  end: number;
}

/** A learner's pass: the prepas whose pictures this session may fetch until then without being looked up. */
interface Pass {
  prepas: number[];
  /** In ms since 1970. */
  end: number;
}

/** Pictures in canonical HTML, where an `<` that is text is written `&lt;`. */
const pictures = /(<img src=")\/media\/(content\/[0-9a-f]{32}\.webp)(?=")/g;

/** Signs and checks with the site's own key; nothing here asks who somebody is. */
class PictureSigner {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** What stands after the path: `3.20850.Zm9v…`, or `20850.Zm9v…` for everybody. */
  access(name: string, audience: Audience, endDay: number): string {
    const said = audience === 'libre' ? `${endDay}` : `${audience}.${endDay}`;
    return `${said}.${this.#sign('picture', name, audience, endDay)}`;
  }

  /** A text as it is shown, each stored picture under an address for this audience. */
  inText(html: string, audience: Audience, now: Date): string {
    const end = endOfAddresses(now);
    const folder = audience === 'libre' ? '/media/libre/' : '/media/content/';
    return html.replaceAll(
      pictures,
      (_, before: string, name: string) => `${before}${folder}${name.slice('content/'.length)}?acces=${this.access(name, audience, end)}`,
    );
  }

  /** What an address says, whether or not its end has come; null for one that is not ours. */
  read(name: string, access: unknown): SignedAddress | null {
    const [, prepa, day, signature = ''] = (typeof access === 'string' && /^(?:(\d{1,10})\.)?(\d{1,6})\.([\w-]{22})$/.exec(access)) || [];
    if (day === undefined) return null;
    const audience = prepa === undefined ? 'libre' : Number(prepa);
    return this.#isOurs(signature, 'picture', name, audience, Number(day)) ? { audience, end: Number(day) * dayMs } : null;
  }

  /** @param session the hash of the session's token, the only one that the pass is good for */
  pass({ prepas, end }: Pass, session: string): string {
    const said = [end, prepas.join('-')];
    return [...said, this.#sign('pass', ...said, session)].join('.');
  }

  /** Null for a pass that is not this session's. */
  readPass(value: string | undefined, session: string): Pass | null {
    const [, end, prepas, signature = ''] = /^(\d{1,15})\.(\d[\d-]{0,2000})\.([\w-]{22})$/.exec(value ?? '') ?? [];
    if (end === undefined || prepas === undefined || !this.#isOurs(signature, 'pass', end, prepas, session)) return null;
    return { prepas: prepas.split('-').map(Number), end: Number(end) };
  }

  #sign(...said: (string | number)[]): string {
    return createHmac('sha256', this.#key).update(said.join(' ')).digest('base64url').slice(0, 22);
  }

  #isOurs(signature: string, ...said: (string | number)[]): boolean {
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(...said)));
  }
}

/** The signer of one process; its key is read when it is first needed. */
export type FindSigner = (em: EntityManager) => Promise<PictureSigner>;

export function pictureSigner(): FindSigner {
  const secret = siteSecret('pictures');
  let signer: PictureSigner | undefined;
  return async (em) => {
    signer ??= new PictureSigner(await secret(em));
    return signer;
  };
}

/** A row's texts as they are shown. No key is read for texts without pictures. */
export async function withSignedPictures<Texts extends { contenu: string | null; corrige: string | null }>(
  texts: Texts,
  { em, signer, audience, now }: { em: EntityManager; signer: FindSigner; audience: Audience; now: Date },
): Promise<Texts> {
  const { contenu, corrige } = texts;
  if (!`${contenu}${corrige}`.includes('/media/content/')) return texts;
  const signs = await signer(em);
  const shown = (html: string | null) => html && signs.inText(html, audience, now);
  return { ...texts, contenu: shown(contenu), corrige: shown(corrige) };
}
