import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Administrator } from '../../identity/index.ts';

/** A preparation for one competitive exam, in which learners enrol. */
export const Prepa = defineEntity({
  name: 'Prepa',
  tableName: 'prepa',
  indexes: [{ name: 'prepa_nom_index', properties: ['nom', 'id'] }],
  properties: {
    id: p.integer().primary(),
    /** Name of its content folder; null when created on the screen. */
    key: p.string().length(100).nullable().unique('prepa_key_unique'),
    nom: p.string().length(150),
    description: p.text(),
    /** Price in whole XAF. */
    prix: p.integer(),
    /** Base name of the stored cover (see covers/cover-images); null: the page draws a placeholder. */
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
