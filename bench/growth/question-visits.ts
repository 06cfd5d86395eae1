import { ownAttempt, ownSession } from './subject-questions.ts';
import type { Visit } from './visit.ts';

/** Where questions are found: the same in every database. */
export interface QuestionPlaces {
  prepa: number;
  discipline: number;
  trial: number;
  trialDiscipline: number;
  /** A series of the discipline, and a question of it. */
  series: number;
  question: string;
}

/** SQL columns of `QuestionPlaces` beside those of `Places`. @param discipline SQL of its id */
export const questionPlaces = (discipline: string): string =>
  `(select id from item where discipline_id = ${discipline} and kind = 'quiz') as series,
   (select q.id from question q join item i on i.id = q.item_id where i.discipline_id = ${discipline} and i.kind = 'quiz' and q.position = 1) as question`;

/** Pages and calls about questions. Answers are left out: their limit per minute is below the number of requests. */
export const questionVisits = ({ prepa, discipline, trial, trialDiscipline, series, question }: QuestionPlaces): Visit[] => {
  const diagnostic = `/user/prepa/consultation/${trial}/${trialDiscipline}/diagnostic`;
  const route = '/user/prepa/consultation/:prepaId/:disciplineId/diagnostic';
  const admin = (page: string): Visit => ({
    route: `GET /admin/discipline/:id/${page}`,
    path: `/admin/discipline/${discipline}/${page}`,
    who: 'administrator',
  });
  return [
    { route: 'GET /user/concours-blancs', path: '/user/concours-blancs', who: 'learner' },
    { route: 'GET /user/erreurs', path: '/user/erreurs', who: 'learner' },
    { route: 'GET /user/erreurs/questions', path: '/user/erreurs/questions', who: 'learner' },
    { route: 'GET /user/questions/:id', path: `/user/questions/${question}`, who: 'learner' },
    { route: 'GET /user/series/:id', path: `/user/series/${series}`, who: 'learner' },
    { route: 'GET /user/series/tentatives/:id', path: `/user/series/tentatives/${ownAttempt}`, who: 'learner' },
    { route: 'GET /user/seance', path: '/user/seance', who: 'learner' },
    { route: 'GET /user/seance/:id', path: `/user/seance/${ownSession}`, who: 'learner' },
    { route: 'GET /user/progression', path: '/user/progression', who: 'learner' },
    { route: 'GET /user/concours/:prepaId', path: `/user/concours/${prepa}`, who: 'learner' },
    { route: 'GET /user/epreuves', path: '/user/epreuves', who: 'learner' },
    {
      route: 'GET /user/prepa/:prepaId/:disciplineId',
      of: 'a series',
      path: `/user/prepa/${prepa}/${discipline}?type=quiz&item=${series}`,
      who: 'learner',
    },
    { route: `GET ${route}`, path: diagnostic, who: 'visitor' },
    { route: `GET ${route}/resultat`, path: `${diagnostic}/resultat`, who: 'learner' },
    { route: 'GET /api/series/discipline/:id', path: `/api/series/discipline/${discipline}`, who: 'learner' },
    { route: 'GET /api/series/:id', path: `/api/series/${series}`, who: 'learner' },
    admin('questions'),
    admin('questions.csv'),
    admin('questions.xml'),
    admin('questions.gift'),
    admin('epreuve'),
    admin('diagnostic'),
    { route: 'GET /admin/concours', path: '/admin/concours', who: 'administrator' },
  ];
};
