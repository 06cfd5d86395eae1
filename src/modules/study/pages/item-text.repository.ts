import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import { type AttachedDocument, documentsWhen } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';

/** What an item's text is made of, told by versions alone. */
export interface TextVersion {
  /** Whether the learner may read it now. */
  access: boolean;
  version: number;
  /** Of the discipline: its items' documents too are another one when they change. */
  outlineVersion: number;
}

interface TextRow extends Pick<TextVersion, 'version' | 'outlineVersion'> {
  prepaId: number;
  titre: string;
  contenu: string;
  corrige: string | null;
  documents: AttachedDocument[];
}

const version = namedStatement<TextVersion>({
  name: 'content.text-version',
  text: `select ${accessCondition('$1', 'd.prepa_id', '$2')} as access, i.version, d.outline_version
         from item i join discipline d on d.id = i.discipline_id where i.id = $3`,
});

const text = namedStatement<TextRow>({
  name: 'content.text',
  reads: 'replica',
  text: `select d.prepa_id, i.titre, i.contenu, i.corrige, i.version, d.outline_version, ${documentsWhen()} from item i join discipline d on d.id = i.discipline_id where i.id = $1`,
});

/** Null for an item that is not there. */
export const findTextVersion = async (em: EntityManager, userId: string, now: Date, itemId: number): Promise<TextVersion | null> =>
  (await version(em, [userId, now, itemId]))[0] ?? null;

/** @param named its text is kept by these versions: not by an older one's */
export const findText = async (
  em: EntityManager,
  itemId: number,
  named: Pick<TextVersion, 'version' | 'outlineVersion'>,
): Promise<TextRow | null> => {
  const rows = await text(em, [itemId], ([row]) => !!row && row.version >= named.version && row.outlineVersion >= named.outlineVersion);
  return rows[0] ?? null;
};
