import type { KeptAnswer } from '../../../../src/shared/offline/offline-copy.ts';
import { questionsOf } from '../../../../src/shared/questions/question-html.ts';
import { readGiven } from '../../../../src/shared/questions/read-given.ts';
import type { Judge, SentAnswer } from '../../../questions/answer.ts';
import { isOffline } from '../../../runtime/without-network.ts';
import { openCopy } from '../../both/access.ts';
import { sendOutbox } from '../../both/outbox.ts';
import { tellOfChange } from '../../both/store/changes.ts';
import { now, see } from '../../both/store/device.ts';
import { ignore } from '../../both/store/ignore.ts';
import { addEntry } from '../../both/store/outbox.ts';
import { itemsOfDiscipline } from '../../both/store/texts.ts';
import { keptAddress } from '../pages/address.ts';
import { isFull } from '../store/make-database.ts';
import { judge } from './judge.ts';

const again = 'Votre réponse est restée dans le formulaire, mais ne compte pas encore.';
const full = `La mémoire de cet appareil est pleine. ${again} Libérez de la place, ou touchez de nouveau «\u00a0Vérifier\u00a0» avec le réseau.`;
const refused = `Ce navigateur ne garde plus rien. ${again} Touchez de nouveau «\u00a0Vérifier\u00a0» avec le réseau.`;

/** Returns why an answer could not be stored, in French. */
export const messageOfRefusal = (error: unknown): string => (isFull(error) ? full : refused);

/**
 * Judges an answer on a kept page by the kept key, with or without network. The answer is stored in the outbox first, as an opening of its
 * item, and sent later. The site judges the answers that this device cannot: of a copy that has no key yet, or has ended, or when the
 * storage is full.
 * @param judgeOnline lets the site judge; a parameter, so that this module needs no script of other pages
 */
export async function judgeKept(form: HTMLFormElement, sent: SentAnswer, judgeOnline: Judge): ReturnType<Judge> {
  const found = await findQuestion(form.id.slice(2)).catch(ignore);
  if (!found) return judgeOnline(form, sent);
  const { item, learner, question, key } = found;
  const given = readGiven(question, sent);
  if (typeof given === 'string') return { ok: false, body: { message: given } };
  const body = judge(question, key, given, sent.numero ?? null);
  try {
    await keep(item, sent.cle, answerOf(question.id, sent));
  } catch (error) {
    const online = isOffline() ? null : await judgeOnline(form, sent);
    return online ?? { ok: false, body: { message: messageOfRefusal(error) } };
  }
  if (!isOffline()) sendOutbox(learner).catch(ignore);
  return { ok: true, body };
}

/** Returns a question of the page's discipline with its key, if the copy may be read now. */
async function findQuestion(id: string) {
  const address = keptAddress(new URL(location.href));
  if (!address || !('discipline' in address)) return;
  for (const item of await itemsOfDiscipline(address.discipline)) {
    const key = item.keys?.find((one) => one.id === id);
    const question = key && questionsOf(item.contenu).find((one) => one.id === id);
    const copy = question && (await openCopy(item.prepa));
    if (copy) return { item: item.id, learner: copy.learner, question, key };
  }
}

const answerOf = (question: string, { choix, texte, passe }: SentAnswer): KeptAnswer => ({
  question,
  ...(passe ? { passe } : texte === undefined ? { choix } : { texte }),
});

/** @throws StorageRefused when the browser's storage is full or refused */
async function keep(item: number, cle: string, reponse: KeptAnswer): Promise<void> {
  const le = await now();
  await addEntry({ cle, type: 'lu', item, le, reponse });
  // As in `note`: the learner's next action has a later time.
  await see(le + 1).catch(ignore);
  tellOfChange('entries');
}
