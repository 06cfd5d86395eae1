import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Prepa } from '../../catalogue/index.ts';
import { User } from '../../identity/index.ts';

export const enrolmentStatuses = ['active', 'expired', 'cancelled'] as const;

/** A learner's access to a prepa: a single row, however often it is renewed. */
export const Enrolment = defineEntity({
  name: 'Enrolment',
  tableName: 'enrolment',
  uniques: [{ name: 'enrolment_user_prepa_unique', properties: ['user', 'prepa'] }],
  indexes: [
    { name: 'enrolment_statut_expiration_index', properties: ['statut', 'dateExpiration'] },
    // The operator's list starts with the latest end, over all prepas or within one.
    { name: 'enrolment_expiration_index', properties: ['dateExpiration', 'id'] },
    { name: 'enrolment_prepa_index', properties: ['prepa', 'dateExpiration', 'id'] },
  ],
  properties: {
    id: p.integer().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade'),
    /** Null once the prepa is deleted; `prepaNom` keeps its name. */
    prepa: () => p.manyToOne(Prepa).mapToPk().nullable().deleteRule('set null'),
    prepaNom: p.string().length(150),
    statut: p.enum([...enrolmentStatuses]),
    /** Start of the current uninterrupted period. */
    dateInscription: p.datetime(),
    dateExpiration: p.datetime(),
    /** The last announcement of this end, in days before it (7, 3, 1; 0: ended); null: none yet. */
    announcedDays: p.smallint().nullable(),
  },
});
export type Enrolment = InferEntity<typeof Enrolment>;
