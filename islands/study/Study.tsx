import { useLayoutEffect, useRef } from 'react';
import { finishedByReading } from '../../src/shared/study/kinds.ts';
import { MarkForm } from '../practice/MarkForm.tsx';
import { PracticeLink, ToReviewLink } from '../practice/StudyLinks.tsx';
import { toReview } from '../practice/to-review.ts';
import { Slot } from '../runtime/context.tsx';
import { Contents } from './Contents.tsx';
import { Documents } from './Documents.tsx';
import { Finish } from './Finish.tsx';
import { ItemLink } from './ItemLink.tsx';
import { LoadNotice } from './LoadNotice.tsx';
import { countMarks } from './MarksLine.tsx';
import { Options } from './Options.tsx';
import { parentHref, placeOf, type StudyProps } from './outline.ts';
import { Pager } from './Pager.tsx';
import { useFinish } from './use-finish.ts';
import { useMarks } from './use-marks.ts';
import { usePlan } from './use-plan.ts';
import { useReading } from './use-reading.ts';

export type { StudyProps };

const otherMarks = [toReview];

/** A discipline's contents and the current item. Works without script; with script, changing the item loads only its text. */
export default function Study(props: StudyProps) {
  const { base, sections, current, trial, keep } = props;
  const { state, follow, retry, dismiss } = useReading(props);
  const { shown, arrival } = state;
  const place = placeOf(sections, shown);
  const hasCorrection = shown?.texts ? shown.texts.corrige !== null : current?.hasCorrection;
  const end = useRef<HTMLFormElement>(null);
  const finishable = !trial && shown && finishedByReading(shown.type, hasCorrection === true) ? shown : null;
  const { finished, say } = useFinish(finishable, end);
  const marks = useMarks({ base, shown, finished, others: otherMarks, enabled: !trial });
  const isFinished = finishable !== null && (finished.get(finishable.id) ?? marks?.finished.has(finishable.id) === true);
  const following = isFinished ? (place?.next ?? place?.onward ?? null) : null;
  const menu = useRef<HTMLDetailsElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const article = useRef<HTMLElement>(null);

  useLayoutEffect(() => {
    if (!arrival) return;
    // Close the list before scrolling: on a phone it covers the text.
    if (menu.current) menu.current.open = false;
    title.current?.focus({ preventScroll: true });
    if (arrival.scroll) title.current?.scrollIntoView({ behavior: 'instant' });
  }, [arrival]);

  usePlan(article, shown);

  const notice = <LoadNotice state={state} back={parentHref(base)} onRetry={retry} onDismiss={dismiss} />;

  return (
    <div className="study">
      <details className="study__toggle" ref={menu} suppressHydrationWarning>
        <summary>
          <span className="when-closed">Menu</span>
          <span className="when-open">Masquer</span>
        </summary>
      </details>
      <Contents base={base} sections={sections} shown={shown} trial={trial} marks={marks} follow={follow}>
        <ToReviewLink />
      </Contents>
      {shown && place ? (
        <article className="study__main" aria-labelledby="study-title" ref={article}>
          <header className="study__head">
            <h2 className="study__title" id="study-title" tabIndex={-1} ref={title}>
              {shown.titre}
            </h2>
            <p className="study__page">{`Page ${place.page} sur ${place.pages}`}</p>
            {shown.type === 'course' && <p className="study__minutes">{`${shown.minutes} min de lecture`}</p>}
            <Options base={base} item={shown} keep={keep} />
            {hasCorrection && !trial && <PracticeLink base={base} type={shown.type} id={shown.id} />}
          </header>
          <Text name="contenu" html={shown.texts?.contenu} />
          {hasCorrection && (
            <details className="correction" key={shown.type + shown.id} suppressHydrationWarning>
              <summary>
                <span className="when-closed">Voir le corrigé</span>
                <span className="when-open">Masquer le corrigé</span>
              </summary>
              <Text name="corrige" html={shown.texts?.corrige ?? undefined} />
              {!trial && <MarkForm base={base} item={shown} />}
            </details>
          )}
          <Documents documents={shown.documents} />
          {finishable && (
            <Finish
              base={base}
              item={finishable}
              finished={isFinished}
              reopened={finished.get(finishable.id) === false}
              onSay={say}
              progress={marks && countMarks(sections, marks)}
              end={end}
              key={finishable.id}
            />
          )}
          {following && (
            <p>
              {'Ensuite : '}
              <ItemLink className="marks__link" base={base} item={following} follow={follow}>
                {placeOf(sections, following)?.titre}
              </ItemLink>
            </p>
          )}
          {notice}
          <Pager base={base} place={place} follow={follow} />
        </article>
      ) : (
        <div className="study__main empty">
          <p>Sélectionnez un contenu pour commencer</p>
          {notice}
        </div>
      )}
    </div>
  );
}

/** A text: loaded by the script, or from the server's HTML. */
function Text({ name, html }: { name: string; html: string | undefined }) {
  if (html === undefined) return <Slot name={name} className="prose" />;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: canonical HTML from our own serialiser
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
