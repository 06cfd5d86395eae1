import { type FormEvent, type RefObject, useRef } from 'react';
import { type Counts, describeProgress } from '../../src/shared/study/progress.ts';
import { Icon } from '../ui/Icon.tsx';
import type { ItemRef } from './outline.ts';

interface FinishProps {
  base: string;
  item: ItemRef;
  finished: boolean;
  /** The reader has just marked the item as not finished. */
  reopened: boolean;
  onSay: (finished: boolean) => void;
  /** Of the discipline; null until the marks are loaded. */
  progress: Counts | null;
  /** An element below the text: when it is visible, the reader has reached the end. */
  end: RefObject<HTMLFormElement | null>;
}

/** Marks an item as finished or not, below its text, with the discipline's progress. Works without script too. */
export function Finish({ base, item: { type, id }, finished, reopened, onSay, progress, end }: FinishProps) {
  const said = useRef<HTMLParagraphElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSay(!finished);
    // The pressed button is replaced.
    said.current?.focus();
  };
  return (
    <form className="study__finish" method="post" action={`${base}/${finished ? 'rouvert' : 'termine'}`} onSubmit={submit} ref={end}>
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="item" value={id} />
      <p role="status" tabIndex={-1} ref={said}>
        {finished && (
          <>
            <Icon name="success" /> Terminé
          </>
        )}
        {reopened && 'Pas encore terminé'}
      </p>
      {finished ? (
        <button className="button button--quiet" type="submit" key="back">
          Je n'ai pas terminé
        </button>
      ) : (
        <button className="button button--secondary" type="submit" key="finish">
          J'ai terminé
        </button>
      )}
      <div className="study__progress">
        {progress && (
          <>
            {describeProgress(progress)}
            <svg className="segments" viewBox={`0 0 ${progress.total} 1`} preserveAspectRatio="none" aria-hidden="true">
              <rect className="segments__done" width={progress.done} height="1" />
              <rect className="segments__review" x={progress.done} width={progress.toReview} height="1" />
            </svg>
          </>
        )}
      </div>
    </form>
  );
}
