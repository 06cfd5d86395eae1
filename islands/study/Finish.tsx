import { type FormEvent, type RefObject, useRef } from 'react';
import { Icon } from '../ui/Icon.tsx';
import type { ItemRef } from './outline.ts';

interface FinishProps {
  base: string;
  item: ItemRef;
  finished: boolean;
  /** The reader has just marked the item as not finished. */
  reopened: boolean;
  onSay: (finished: boolean) => void;
  /** An element below the text: when it is visible, the reader has reached the end. */
  end: RefObject<HTMLFormElement | null>;
}

/** Marks an item as finished or not, below its text. Works without script too. */
export function Finish({ base, item: { type, id }, finished, reopened, onSay, end }: FinishProps) {
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
    </form>
  );
}
