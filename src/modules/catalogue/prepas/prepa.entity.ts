import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../../identity/index.ts';

/** A preparation for one competitive exam: what a learner enrols in. */
export const Prepa = defineEntity({
  name: 'Prepa',
  tableName: 'prepa',
  indexes: [{ name: 'prepa_nom_index', properties: ['nom', 'id'] }],
  properties: {
    id: p.integer().primary(),
    /** The content folder's name for it; null when made on the screen. */
    key: p.string().length(100).nullable().unique('prepa_key_unique'),
    nom: p.string().length(150),
    description: p.text(),
    /** Whole XAF. */
    prix: p.integer(),
    /** Base name of the stored cover (see covers/cover-images); null: a placeholder is drawn. */
    image: p.string().length(120).nullable(),
    isPublished: p.boolean().default(false),
    /** The administrator who created it; null when loaded from a folder. */
    auteur: () => p.manyToOne(Administrator).mapToPk().nullable().deleteRule('restrict').index('prepa_auteur_index'),
    version: p.integer().default(1),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Prepa = InferEntity<typeof Prepa>;
