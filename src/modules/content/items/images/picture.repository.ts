import type { EntityManager } from '@mikro-orm/postgresql';
import { namedStatement } from '../../../../platform/database/named-statement.ts';
import { accessCondition } from '../../../enrolment/index.ts';

/** Who may see a picture, by the items that show it or have shown it. */
export interface PictureAccess {
  /** Everybody: it stands in what the trial shows. */
  open: boolean;
  /** This learner. */
  access: boolean;
  /** Whether anything that shows it is published, so that it may be said to be there. */
  published: boolean;
}

const pictureAccess = namedStatement<PictureAccess>({
  name: 'content.picture-access',
  text: `select coalesce(bool_or(p.is_published and i.numero_page = 1), false) as open,
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
