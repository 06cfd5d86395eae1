import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { siteSecret } from '../../../../platform/database/site-secret.ts';
import { dayMs } from '../../../../shared/dates.ts';

/**
 * Signs the addresses under which readers load the pictures of texts; each expires (docs/decisions/068-paid-pictures.md).
 * Stored texts name a picture by `/media/content/…`; a rendered page adds the audience, the end and the signature. The addresses are
 * the same for all readers of a text, so that compressed pages can be cached for all of them.
 */

/** Addresses written within one period of this many days expire together, between one and two periods later. */
const periodDays = 30;

/** Returns the end of addresses written now, in days since 1970. It is part of the cache key of pages with texts. */
export const endOfAddresses = (now: Date): number => (Math.floor(now.getTime() / dayMs / periodDays) + 2) * periodDays;

/** Readers of a picture's address: those with access to the prepa with this id, or, for a picture of the trial, everybody. */
export type Audience = number | 'libre';

/** The fields of a valid address. */
export interface SignedAddress {
  audience: Audience;
  /** End of the validity, in ms since 1970. */
  end: number;
}

/** The content of a learner's pass cookie: the prepas whose pictures this session may load until `end` without a database query. */
interface Pass {
  prepas: number[];
  /** End of the validity, in ms since 1970. */
  end: number;
}

/** Matches pictures in canonical HTML, where a `<` in text is written as `&lt;`. */
const pictures = /(<img src=")\/media\/(content\/[0-9a-f]{32}\.webp)(?=")/g;

/** Signs and verifies addresses and passes with the site's key. It does not check who the reader is. */
class PictureSigner {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Returns the signed part after the path: `3.20850.Zm9v…`, or `20850.Zm9v…` for everybody. */
  access(name: string, audience: Audience, endDay: number): string {
    const said = audience === 'libre' ? `${endDay}` : `${audience}.${endDay}`;
    return `${said}.${this.#sign('picture', name, audience, endDay)}`;
  }

  /** Returns the text with each stored picture's address signed for this audience. */
  inText(html: string, audience: Audience, now: Date): string {
    const end = endOfAddresses(now);
    const folder = audience === 'libre' ? '/media/libre/' : '/media/content/';
    return html.replaceAll(
      pictures,
      (_, before: string, name: string) => `${before}${folder}${name.slice('content/'.length)}?acces=${this.access(name, audience, end)}`,
    );
  }

  /** Returns the fields of an address, expired or not; null when the signature is not ours. */
  read(name: string, access: unknown): SignedAddress | null {
    const [, prepa, day, signature = ''] = (typeof access === 'string' && /^(?:(\d{1,10})\.)?(\d{1,6})\.([\w-]{22})$/.exec(access)) || [];
    if (day === undefined) return null;
    const audience = prepa === undefined ? 'libre' : Number(prepa);
    return this.#isOurs(signature, 'picture', name, audience, Number(day)) ? { audience, end: Number(day) * dayMs } : null;
  }

  /** Returns a signed pass. @param session hash of the token of the only session that may use the pass */
  pass({ prepas, end }: Pass, session: string): string {
    const said = [end, prepas.join('-')];
    return [...said, this.#sign('pass', ...said, session)].join('.');
  }

  /** Returns the content of a pass; null when it was not signed for this session. */
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

/** Returns the signer of this process. Its key is read from the database at the first call. */
export type FindSigner = (em: EntityManager) => Promise<PictureSigner>;

export function pictureSigner(): FindSigner {
  const secret = siteSecret('pictures');
  let signer: PictureSigner | undefined;
  return async (em) => {
    signer ??= new PictureSigner(await secret(em));
    return signer;
  };
}

/** Returns the texts with signed picture addresses. The key is not read for texts without pictures. */
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
