import type { Node } from 'prosemirror-model';
import { useId, useState } from 'react';
import { type FoundQuestion, foundQuestions, plainText } from '../../../src/shared/questions/found-questions.ts';
import { documentFromJson } from '../../../src/shared/rich-text/document.ts';
import type { DocumentJson } from '../items/calls.ts';
import { withChoice } from './mend-question.ts';

interface QuestionPreviewProps {
  document: DocumentJson;
  /** @param document with another choice marked as right or wrong */
  onChange: (document: DocumentJson) => void;
}

/** Number of questions that are drawn at once. */
const step = 50;

/** Lists the questions of a file, those without a right answer first. Each choice can be marked as right or wrong. Nothing is stored. */
export function QuestionPreview({ document, onChange }: QuestionPreviewProps) {
  const id = useId();
  const doc = documentFromJson(document);
  const questions = foundQuestions(doc);
  // A question keeps its place in the list while it is mended.
  const [first] = useState(questions);
  const [shown, setShown] = useState(step);
  const numbers = first.map((_, index) => index);
  const isOpen = (index: number) => first[index]?.fault !== null;
  const order = [...numbers.filter(isOpen), ...numbers.filter((index) => !isOpen(index))];
  const faulty = questions.filter(({ fault }) => fault !== null).length;

  return (
    <section className="found" aria-labelledby={id}>
      <p id={id} role="status">
        <strong>{questions.length > 1 ? `${questions.length} questions reconnues` : '1 question reconnue'}</strong>
        {faulty > 0 && ` : ${faulty} à corriger, en premier dans la liste.`}
      </p>
      {faulty > 0 && (
        <p className="field__hint">
          Cochez les choix justes ici, ou plus tard dans le texte. D'ici là, les candidats ne voient pas ces questions.
        </p>
      )}
      <ol className="found__list">
        {order.slice(0, shown).map((index) => {
          const { place, kind } = first[index] as FoundQuestion;
          return (
            <li key={place}>
              <FoundRow
                number={index + 1}
                question={doc.child(place)}
                found={questions[index] as FoundQuestion}
                onMark={(choice, right) => onChange(withChoice(document, { place, index: choice, kind }, right))}
              />
            </li>
          );
        })}
      </ol>
      {shown < order.length && (
        <button className="button button--quiet" type="button" onClick={() => setShown(shown + step)}>
          {`Afficher les suivantes (${order.length - shown})`}
        </button>
      )}
    </section>
  );
}

interface FoundRowProps {
  number: number;
  question: Node;
  found: FoundQuestion;
  onMark: (choice: number, right: boolean) => void;
}

function FoundRow({ number, question, found: { statement, fault }, onMark }: FoundRowProps) {
  const choices: Node[] = [];
  question.forEach((part) => {
    if (part.type.name === 'question_choice') choices.push(part);
  });
  return (
    <fieldset className="found__question">
      <legend>
        <strong>{`Question ${number}`}</strong>
        {fault !== null && <span className="question__fault">{` · ${fault}`}</span>}
        <span className="found__statement">{statement}</span>
      </legend>
      {choices.map((choice, index) => {
        const right = choice.attrs.right === true;
        const text = plainText(choice);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: choices keep their order
          <label className="question__choice" key={index}>
            <input
              type="checkbox"
              checked={right}
              aria-label={`Ce choix est juste : ${text}`}
              onChange={({ target }) => onMark(index, target.checked)}
            />
            <span>
              {text} {right && <em className="found__right">Ce choix est juste</em>}
            </span>
          </label>
        );
      })}
      {choices.length === 0 && <p className="found__answer">{answerOf(question)}</p>}
    </fieldset>
  );
}

function answerOf({ attrs: { kind, value, tolerance, unit, accepted } }: Node): string {
  if (kind === 'number') return `Réponse : ${[value, tolerance && `± ${tolerance}`, unit].filter(Boolean).join(' ')}`;
  return `Réponses acceptées : ${accepted.join(' ; ')}`;
}
