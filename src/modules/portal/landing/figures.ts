import { namedStatement } from '../../../platform/database/named-statement.ts';
import type { LandingFigure } from '../../catalogue/index.ts';
import { shownToLearners } from '../../content/index.ts';
import { keptRead } from './kept-read.ts';

/** Time for which counted figures are cached, in ms. */
const keptMs = 600_000;

interface Counts {
  prepas: number;
  contents: number;
  subjects: number;
  learners: number;
}

const counts = namedStatement<Counts>({
  name: 'portal.landing-figures',
  reads: 'replica',
  text: `select (select count(*) from prepa where is_published)::int as prepas, i.contents, i.subjects,
                (select count(distinct user_id) from enrolment)::int as learners
         from (select count(*) filter (where kind <> 'pastExam')::int as contents, count(*) filter (where kind = 'pastExam')::int as subjects
               from item join discipline d on d.id = item.discipline_id join prepa p on p.id = d.prepa_id where p.is_published and ${shownToLearners('item')}) i`,
});

const number = new Intl.NumberFormat('fr-FR');
const figure = (count: number, one: string, many: string): LandingFigure => ({
  value: number.format(count).replaceAll(/\s/g, ' '),
  label: count > 1 ? many : one,
});

/**
 * Returns a function that counts the landing page's figures; none when they cannot be counted. The success rate is not in the
 * database.
 */
export const landingFigures = () =>
  keptRead(keptMs, 'the landing page could not be counted', async (request) => (await counts(request.em, [])).flatMap(present));

const present = ({ prepas, contents, subjects, learners }: Counts): LandingFigure[] => [
  figure(prepas, 'préparation', 'préparations'),
  figure(contents, 'leçon ou exercice', 'leçons et exercices'),
  figure(subjects, 'ancien sujet', 'anciens sujets'),
  figure(learners, 'candidat inscrit', 'candidats inscrits'),
];
