import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { MAX_LATEX_LENGTH } from '../../../src/shared/rich-text/bounds.ts';
import { Icon } from '../../ui/Icon.tsx';
import { insertFormula, selectedNode } from '../commands/insertions.ts';
import { cachedFormula } from '../formulas/formula-cache.ts';
import { type RenderResult, renderFormula } from '../formulas/renderer.ts';
import { writeTemplate } from '../formulas/templates.ts';
import type { DialogProps } from './dialog-props.ts';
import { FormulaPalette } from './FormulaPalette.tsx';
import { ToolDialog } from './ToolDialog.tsx';

/** Pause in typing before the preview is updated, in ms: rendering at each key would show faults of unfinished commands. */
const REST = 200;

/** Edits a formula as LaTeX, with a preview. */
export function FormulaDialog({ name, session, onClose }: DialogProps) {
  const [node] = useState(() => selectedNode(session.view.state, 'formula', 'formula_block'));
  const [latex, setLatex] = useState<string>(() => node?.attrs.latex ?? selectedText(session));
  const [display, setDisplay] = useState(node ? node.type.name === 'formula_block' : name === 'formula-block');
  const [result, setResult] = useRendered(latex, display);
  const input = useRef<HTMLTextAreaElement>(null);
  const fault = result && !result.ok && latex.trim() !== '' ? result.message : null;

  async function submit(): Promise<boolean> {
    // The preview may be outdated.
    const rendered = await renderFormula(latex.trim(), display);
    // If the renderer is unavailable, the server checks the formula when the text is saved.
    if (rendered.ok || rendered.unavailable) return session.run(insertFormula(latex.trim(), display));
    setResult(rendered);
    return false;
  }

  function write(template: string): void {
    const field = input.current;
    if (!field) return;
    const { selectionStart, selectionEnd } = field;
    const next = writeTemplate(latex, selectionStart, selectionEnd, template);
    field.focus();
    // execCommand, because only it adds to the field's own undo history.
    if (!document.execCommand('insertText', false, next.written)) flushSync(() => setLatex(next.latex));
    // Set the selection now, because the next key may come before the next frame.
    field.setSelectionRange(next.caret, next.caret);
  }

  function send(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <ToolDialog
      title={node ? 'Modifier la formule' : 'Insérer une formule'}
      action={node ? 'Mettre à jour' : 'Insérer'}
      wide
      first="#editor-latex"
      disabled={latex.trim() === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor="editor-latex">Formule en LaTeX</label>
        <p className="field__hint" id="editor-latex-hint">
          Par exemple \dfrac&#123;a&#125;&#123;b&#125; ou x^2 + 1. Ctrl+Entrée : {node ? 'mettre à jour' : 'insérer'}.
        </p>
        <textarea
          ref={input}
          id="editor-latex"
          className="input editor__latex"
          rows={3}
          maxLength={MAX_LATEX_LENGTH}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-invalid={fault ? true : undefined}
          aria-describedby={`editor-latex-hint${fault ? ' editor-latex-error' : ''}`}
          value={latex}
          onKeyDown={send}
          onChange={({ target }) => setLatex(target.value)}
        />
        <div aria-live="polite">
          {fault && (
            <p className="field__error" id="editor-latex-error">
              <Icon name="error" />
              {fault}
            </p>
          )}
        </div>
      </div>
      <Preview latex={latex} display={display} result={result} />
      <FormulaPalette onChoose={write} />
      <fieldset className="choices">
        <legend>Disposition</legend>
        <label className="choice">
          <input type="radio" name="editor-display" checked={!display} onChange={() => setDisplay(false)} />
          Dans la ligne du texte
        </label>
        <label className="choice">
          <input type="radio" name="editor-display" checked={display} onChange={() => setDisplay(true)} />
          Sur sa propre ligne, centrée
        </label>
      </fieldset>
    </ToolDialog>
  );
}

/** Returns the selected text as initial LaTeX if it is short and within one block, else ''. */
function selectedText({ view: { state } }: DialogProps['session']): string {
  const { $from, $to, from, to } = state.selection;
  return $from.sameParent($to) && $from.parent.isTextblock && to - from <= 200 ? state.doc.textBetween(from, to) : '';
}

/** Returns the rendering of `latex` after a pause in typing; null until the first. */
function useRendered(latex: string, display: boolean) {
  const [result, setResult] = useState<RenderResult | null>(null);
  useEffect(() => {
    if (latex.trim() === '') return setResult(null);
    let wanted = true;
    const timer = setTimeout(async () => {
      const rendered = await renderFormula(latex.trim(), display);
      if (wanted) setResult(rendered);
    }, REST);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [latex, display]);
  return [result, setResult] as const;
}

/** Shows the formula as learners see it. While it is invalid, shows the last valid one, paler. */
function Preview({ latex, display, result }: { latex: string; display: boolean; result: RenderResult | null }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (latex.trim() === '') box.current?.replaceChildren();
    const math = result?.ok && cachedFormula(latex.trim(), display);
    if (math) box.current?.replaceChildren(math);
  }, [latex, display, result]);
  return (
    // A long formula scrolls within this element.
    <section
      className="editor__formula formula-block"
      aria-label="Aperçu de la formule"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable
      tabIndex={0}
      ref={box}
      data-stale={result?.ok === false || undefined}
    />
  );
}
