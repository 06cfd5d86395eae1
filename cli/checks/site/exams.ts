import { availableParallelism } from 'node:os';
import { checkSeal, countUnmarked, listOpening } from '../../../src/modules/questions/index.ts';
import { dayMs, formatInstant } from '../../../src/shared/dates.ts';
import { type Check, fault, good, notice, type Verdict } from '../check.ts';
import { databaseSpace } from '../files/disk.ts';

/** Stored bytes per candidate of an exam: batches of answers with their index, and the result. */
const bytesPerCandidate = 50_000;
/** Candidates from which more processes are useful. One process took 30,000 of the soak test, with the key 3 s late for the last ones. */
const manyCandidates = 10_000;

/**
 * Checks the mock exams that open within 24 hours or are open (their sealed papers, room on the disk, processes), and that those that
 * are over have been marked.
 */
export const exams: Check = {
  name: 'Concours blancs',
  async look({ kernel }) {
    const { fork, clock, config } = kernel;
    const now = clock.now();
    const opening = await listOpening(fork(), now, new Date(now.getTime() + dayMs));
    const verdicts: Verdict[] = [];
    for (const { id, titre } of opening) {
      const { fault: seal } = await checkSeal(fork(), id);
      if (seal !== null)
        return fault(`« ${titre} » : ${seal}`, `restaurez la dernière sauvegarde (« prepa exams seal-check ${id} » vérifie)`);
    }
    const candidates = opening.reduce((most, exam) => Math.max(most, exam.candidates), 0);
    const free = candidates > 0 ? await databaseSpace(kernel) : null;
    if (free !== null && free < candidates * bytesPerCandidate)
      verdicts.push(
        notice(
          `${candidates} candidats peuvent composer, et le disque de la base n'a pas la place de leurs réponses`,
          "faites de la place avant l'ouverture",
        ),
      );
    if (candidates >= manyCandidates && config.webProcesses === 1 && availableParallelism() > 2)
      verdicts.push(
        notice(
          `${candidates} candidats peuvent composer, et un seul processus sert le site`,
          'réglez WEB_PROCESSES sur le nombre de cœurs (docs/mock-exams.md)',
        ),
      );
    const { unmarked, late, titles } = await countUnmarked(fork(), now);
    if (unmarked > 0)
      verdicts.push(notice(`à corriger : ${titles.join(', ')}`, "« prepa exams mark », ou le bouton « Corriger » de l'administration"));
    if (late > 0)
      verdicts.push(notice(`${late} copie(s) en retard à décider`, '« prepa exams late », ou la page « Retards » du concours blanc'));
    const [first] = verdicts;
    if (first) return first;
    const [next] = opening;
    return next ? good(`« ${next.titre} » ouvre le ${formatInstant(new Date(next.opensAt))}, son sujet est prêt`) : null;
  },
};
