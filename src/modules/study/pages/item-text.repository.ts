import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { ItemKind } from '../../../shared/item-kinds.ts';
import type { MarkingRule } from '../../../shared/questions/marking-rule.ts';
import { type AttachedDocument, documentsWhen, shownTitle, shownToLearners } from '../../content/index.ts';
import { accessCondition } from '../../enrolment/index.ts';

/** The versions that identify the rendered text of an item: the key of its cache entry. */
export interface TextVersion {
  /** Whether the learner may read the item now. */
  access: boolean;
  version: number;
  /** The discipline's outline version. It also changes with the documents of its items. */
  outlineVersion: number;
}

interface TextRow extends Pick<TextVersion, 'version' | 'outlineVersion'> {
  id: number;
  prepaId: number;
  kind: ItemKind;
  duree: number | null;
  bareme: MarkingRule | null;
  titre: string;
  contenu: string;
  corrige: string | null;
  documents: AttachedDocument[];
}

const version = namedStatement<TextVersion>({
  name: 'content.text-version',
  text: `select ${accessCondition('$1', 'd.prepa_id', '$2')} as access, i.version, d.outline_version
         from item i join discipline d on d.id = i.discipline_id where i.id = $3 and ${shownToLearners('i')}`,
});

const text = namedStatement<TextRow>({
  name: 'content.text',
  reads: 'replica',
  text: `select i.id, d.prepa_id, i.kind, i.duree, i.bareme, ${shownTitle('i')} as titre, i.contenu, i.corrige, i.version, d.outline_version, ${documentsWhen()} from item i join discipline d on d.id = i.discipline_id where i.id = $1`,
});

/** Returns the versions of an item's text; null when the item does not exist. */
export const findTextVersion = async (em: EntityManager, userId: string, now: Date, itemId: number): Promise<TextVersion | null> =>
  (await version(em, [userId, now, itemId]))[0] ?? null;

/** Returns an item's text. @param named the versions under which the text is cached; an older text from a lagging replica is not used */
export const findText = async (
  em: EntityManager,
  itemId: number,
  named: Pick<TextVersion, 'version' | 'outlineVersion'>,
): Promise<TextRow | null> => {
  const rows = await text(em, [itemId], ([row]) => !!row && row.version >= named.version && row.outlineVersion >= named.outlineVersion);
  return rows[0] ?? null;
};
