import { type FormEvent, type RefObject, useRef } from 'react';
import { Icon } from '../ui/Icon.tsx';
import type { ItemRef } from './outline.ts';

interface FinishProps {
  base: string;
  item: ItemRef;
  finished: boolean;
  onFinish: () => void;
  /** Below the text: in view, the text's end is. */
  end: RefObject<HTMLFormElement | null>;
}

/** Below a text that is finished by reading it: says so, or lets the reader say so, without script too. */
export function Finish({ base, item: { type, id }, finished, onFinish, end }: FinishProps) {
  const said = useRef<HTMLParagraphElement>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onFinish();
    // The button goes.
    said.current?.focus();
  };
  return (
    <form className="study__finish" method="post" action={`${base}/termine`} onSubmit={submit} ref={end}>
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="item" value={id} />
      <p role="status" tabIndex={-1} ref={said}>
        {finished && (
          <>
            <Icon name="success" /> Terminé
          </>
        )}
      </p>
      {!finished && (
        <button className="button button--secondary" type="submit">
          J'ai terminé
        </button>
      )}
    </form>
  );
}
