import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { accessCondition } from '../../../enrolment/index.ts';
import { openInTrial } from '../item.repository.ts';

/** The readers of a picture, according to the items that show it in their current text or in a stored version. */
export interface PictureAccess {
  /** Whether the picture is public: an item of the trial shows it. */
  open: boolean;
  /** Whether this learner may see the picture. */
  access: boolean;
  /** Whether a published item shows it. Otherwise a request must not learn that the picture exists. */
  published: boolean;
}

const pictureAccess = namedStatement<PictureAccess>({
  name: 'content.picture-access',
  text: `select coalesce(bool_or(p.is_published and ${openInTrial('i')}), false) as open,
                coalesce(bool_or(${accessCondition('$2', 'p.id', '$3')}), false) as access,
                coalesce(bool_or(p.is_published), false) as published
         from item_image s join item i on i.id = s.item_id join discipline d on d.id = i.discipline_id join prepa p on p.id = d.prepa_id
         where s.image_name = $1`,
});

/** @param userId null for a visitor */
export async function findPictureAccess(em: EntityManager, name: string, userId: string | null, now: Date): Promise<PictureAccess> {
  const [row] = await pictureAccess(em, [name, userId, now]);
  if (!row) throw new Error('no row of an aggregate');
  return row;
}
