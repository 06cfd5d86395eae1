import { asChecked, type ImportedText } from '../imported-text.ts';
import { counted, type Remarks } from '../remarks.ts';
import { recognise } from './recognise.ts';

const CORRECTION = /^Le texte qui suit le titre « Corrigé »|^Le corrigé contient encore/;

/** Returns an imported text with its questions recognised, and adapts the remarks to it. */
export function withQuestions(read: ImportedText, remarks: Remarks): ImportedText {
  const found = recognise(read.contenu, read.corrige);
  if (found.count === 0) return read;
  remarks.say(`${counted(found.count, 'question reconnue', 'questions reconnues')} : vérifiez les bonnes réponses.`);
  for (const remark of found.remarks) remarks.say(remark);
  let text = '';
  for (const document of [found.contenu, found.corrige]) {
    document?.descendants((node) => {
      if (node.isText) text += node.text;
    });
  }
  if (!/[☐☒]/.test(text)) remarks.takeBack((sentence) => sentence.includes('Case à cocher devenue un signe'));
  if (read.corrige && !found.corrige) remarks.takeBack((sentence) => CORRECTION.test(sentence));
  return { ...read, contenu: asChecked(found.contenu), corrige: found.corrige && asChecked(found.corrige) };
}
