import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { itemKinds } from '../../../shared/item-kinds.ts';
import type { MarkingRule } from '../../../shared/questions/marking-rule.ts';
import type { QuestionKey } from '../../../shared/questions/question-keys.ts';
import { Discipline } from '../../catalogue/index.ts';

/**
 * A lesson, an exercise, a past exam or a series of questions. They share one table, as only optional fields differ; the API has a shape
 * for each.
 * `contenu` and `corrige` are canonical HTML written by our own serialiser. An exercise's `enonce` is its `contenu`.
 */
export const Item = defineEntity({
  name: 'Item',
  tableName: 'item',
  uniques: [
    { name: 'item_discipline_kind_page_unique', properties: ['discipline', 'kind', 'numeroPage'], deferMode: 'deferred' },
    { name: 'item_discipline_kind_key_unique', properties: ['discipline', 'kind', 'key'] },
  ],
  properties: {
    id: p.integer().primary(),
    discipline: () => p.manyToOne(Discipline).mapToPk().deleteRule('cascade').index('item_discipline_index'),
    kind: p.enum([...itemKinds]),
    key: p.string().length(100).nullable(),
    titre: p.string().length(100),
    /** Shown to learners in place of `titre` (`shownTitle`); null: there is none. */
    intitule: p.string().length(200).nullable(),
    /** Position in its list, from 1. */
    numeroPage: p.integer(),
    /** Past exams only. */
    annee: p.integer().nullable(),
    /** Duration of the exam in minutes; null when not given. Lessons have none. */
    duree: p.smallint().nullable(),
    /** Series only; null for other kinds. */
    bareme: p.json().$type<MarkingRule>().nullable(),
    contenu: p.text().lazy(),
    corrige: p.text().lazy().nullable(),
    /** Keys of the text's questions: the text itself has none (decision 110). */
    keys: p.json().$type<QuestionKey[]>().default('[]'),
    version: p.integer().default(1),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Item = InferEntity<typeof Item>;
