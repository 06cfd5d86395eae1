import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Prepa } from './prepa.entity.ts';

/** A subject within a prepa. */
export const Discipline = defineEntity({
  name: 'Discipline',
  tableName: 'discipline',
  uniques: [{ name: 'discipline_prepa_key_unique', properties: ['prepa', 'key'] }],
  indexes: [{ name: 'discipline_prepa_index', properties: ['prepa', 'id'] }],
  properties: {
    id: p.integer().primary(),
    key: p.string().length(100).nullable(),
    prepa: () => p.manyToOne(Prepa).mapToPk().deleteRule('cascade'),
    nom: p.string().length(100),
    description: p.string().length(500),
    image: p.string().length(120).nullable(),
    version: p.integer().default(1),
    /** Incremented by a trigger at every change of its items, so that cached study pages are known to be current. */
    outlineVersion: p.integer().default(1),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Discipline = InferEntity<typeof Discipline>;
