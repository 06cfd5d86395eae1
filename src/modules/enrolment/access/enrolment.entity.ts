import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Prepa } from '../../catalogue/index.ts';
import { User } from '../../identity/index.ts';

export const enrolmentStatuses = ['active', 'expired', 'cancelled'] as const;

/** One learner's access to one prepa: one row for both, however often it is renewed. */
export const Enrolment = defineEntity({
  name: 'Enrolment',
  tableName: 'enrolment',
  uniques: [{ name: 'enrolment_user_prepa_unique', properties: ['user', 'prepa'] }],
  indexes: [
    { name: 'enrolment_statut_expiration_index', properties: ['statut', 'dateExpiration'] },
    // The operator's list begins with the latest end, of all or of one prepa.
    { name: 'enrolment_expiration_index', properties: ['dateExpiration', 'id'] },
    { name: 'enrolment_prepa_index', properties: ['prepa', 'dateExpiration', 'id'] },
  ],
  properties: {
    id: p.integer().primary(),
    user: () => p.manyToOne(User).mapToPk().deleteRule('cascade'),
    /** Null once the prepa is deleted; the enrolment keeps its name. */
    prepa: () => p.manyToOne(Prepa).mapToPk().nullable().deleteRule('set null'),
    prepaNom: p.string().length(150),
    statut: p.enum([...enrolmentStatuses]),
    /** Start of the current unbroken period. */
    dateInscription: p.datetime(),
    dateExpiration: p.datetime(),
    /** The nearest end that has been announced, in days before it (7, 3, 1; 0: that it has ended); null: none yet for this end. */
    announcedDays: p.smallint().nullable(),
  },
});
export type Enrolment = InferEntity<typeof Enrolment>;
