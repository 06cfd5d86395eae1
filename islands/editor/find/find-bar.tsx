import { closeHistory } from 'prosemirror-history';
import type { EditorView } from 'prosemirror-view';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { findMatches, replacementFor } from '../../../src/shared/rich-text/find/matches.ts';
import { maxQueryLength, type TextQuery } from '../../../src/shared/rich-text/find/query.ts';
import type { EditorHost } from '../commands/editor-host.ts';
import { forget, foundIn, showFound, watchText } from './found-plugin.ts';

/** Wait after a change of the text before it is searched again, in ms. */
const typingMs = 300;
let serial = 0;

/** Opens the search below the toolbar, with the selected text as what is sought. */
export function openFind(view: EditorView, showOffer: EditorHost['showOffer']): void {
  const { from, to } = view.state.selection;
  const selected = view.state.doc.textBetween(from, to, '\n', '\n');
  const text = selected.length <= maxQueryLength && !selected.includes('\n') ? selected : '';
  serial += 1;
  const end = () => {
    showOffer(null);
    view.focus();
  };
  showOffer(<FindBar key={serial} view={view} text={text} onEnd={end} />);
}

interface FindBarProps {
  view: EditorView;
  /** What is sought at first. */
  text: string;
  onEnd: () => void;
}

const options = { accents: 'Accents', capitals: 'Majuscules', wholeWords: 'Mots entiers', formulas: 'Formules' } as const;

/** Finds and replaces within a text. Each replacement, and all of them together, is one step that can be undone. */
function FindBar({ view, text, onEnd }: FindBarProps) {
  const [query, setQuery] = useState<TextQuery>({ text, accents: false, capitals: false, wholeWords: false, formulas: false });
  const [replacement, setReplacement] = useState('');
  const [said, setSaid] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  /** Searches the whole text. @param from the first match at or after this position becomes the current one */
  function search(sought: TextQuery, from: number, reveal: boolean): void {
    const matches = findMatches(view.state.doc, sought);
    const next = matches.findIndex((match) => match.from >= from);
    const current = matches.length === 0 ? -1 : Math.max(0, next);
    showFound(view, { matches, current }, reveal);
    say();
  }

  function say(): void {
    const { matches, current } = foundIn(view);
    setSaid(matches.length === 0 ? (field.current?.value ? 'Rien trouvé' : '') : `${current + 1} sur ${matches.length}`);
  }

  const searchAgain = useEffectEvent(() => {
    const { matches, current } = foundIn(view);
    search(query, matches[current]?.from ?? 0, false);
  });

  useEffect(() => {
    watchText(view, () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => !view.isDestroyed && searchAgain(), typingMs);
    });
    field.current?.focus();
    field.current?.select();
    return () => {
      clearTimeout(timer.current);
      forget(view);
    };
  }, [view]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a search begins with each change of the query
  useEffect(() => search(query, view.state.selection.from, query.text !== ''), [query]);

  function step(by: 1 | -1): void {
    const { matches, current } = foundIn(view);
    if (matches.length === 0) return;
    showFound(view, { matches, current: (current + by + matches.length) % matches.length }, true);
    say();
  }

  function replaceOne(): void {
    const { matches, current } = foundIn(view);
    const match = matches[current];
    const slice = match && replacementFor(view.state.doc, match, replacement);
    if (!match || !slice) {
      step(1);
      return;
    }
    view.dispatch(closeHistory(view.state.tr.replace(match.from, match.to, slice)));
    search(query, match.from + (match.latex ? 1 : replacement.length), true);
  }

  function replaceAll(): void {
    // The text may have changed since the last search.
    const matches = findMatches(view.state.doc, query);
    const { tr } = view.state;
    let count = 0;
    for (const match of [...matches].reverse()) {
      const slice = replacementFor(tr.doc, match, replacement);
      if (!slice) continue;
      tr.replace(match.from, match.to, slice);
      count += 1;
    }
    if (count > 0) view.dispatch(closeHistory(tr));
    search(query, 0, false);
    clearTimeout(timer.current);
    setSaid(`${count} ${count === 1 ? 'remplacement' : 'remplacements'}`);
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') onEnd();
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || event.target.type !== 'text') return;
    // The bar is within the form of the item.
    event.preventDefault();
    if (event.target === field.current) step(event.shiftKey ? -1 : 1);
    else replaceOne();
  }

  const tool = (label: string, act: () => void) => (
    <button className="button button--quiet" type="button" onClick={act}>
      {label}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is unknown to the oldest browsers
    <div className="editor__offered" role="search" aria-label="Rechercher dans ce texte" onKeyDown={onKey}>
      <input
        className="input"
        ref={field}
        type="text"
        aria-label="Rechercher dans ce texte"
        placeholder="Rechercher"
        maxLength={maxQueryLength}
        value={query.text}
        onChange={({ target }) => setQuery({ ...query, text: target.value })}
      />
      <input
        className="input"
        type="text"
        aria-label="Remplacer par"
        placeholder="Remplacer par"
        maxLength={maxQueryLength}
        value={replacement}
        onChange={({ target }) => setReplacement(target.value)}
      />
      <span>{said}</span>
      {tool('Précédent', () => step(-1))}
      {tool('Suivant', () => step(1))}
      {tool('Remplacer', replaceOne)}
      {tool('Tout remplacer', replaceAll)}
      {tool('Fermer', onEnd)}
      {(Object.keys(options) as (keyof typeof options)[]).map((name) => (
        <label className="choice" key={name}>
          <input type="checkbox" checked={query[name]} onChange={({ target }) => setQuery({ ...query, [name]: target.checked })} />
          <span>{options[name]}</span>
        </label>
      ))}
    </div>
  );
}
