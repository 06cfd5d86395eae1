import { Node, type Slice } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { useState } from 'react';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import { BusyButton } from '../../ui/BusyButton.tsx';
import type { FormattingHost, ReadMarkdown } from '../commands/editor-host.ts';
import { questionsKey } from '../commands/written-text.ts';
import { replaceByBlocks } from './replace-by-blocks.ts';
import { isFormattedHtml, looksFormatted } from './written-markup.ts';

interface Offer {
  /** A change of the text ends the offer, unless the author has accepted it. */
  accepted: boolean;
  end(): void;
}

const offers = new WeakMap<EditorView, Offer>();

/** Ends the offer with the next change of the text, or with Escape. */
const watch = new Plugin({
  view: () => ({
    update(view, before) {
      const offer = offers.get(view);
      if (offer && !offer.accepted && view.state.doc !== before.doc) offer.end();
    },
  }),
  props: {
    handleKeyDown(view, { key }) {
      if (key === 'Escape') offers.get(view)?.end();
      return false;
    },
  },
});

/**
 * Offers, below the toolbar, to format a pasted text that seems to be Markdown or TeX.
 * @param serial number of the paste
 */
export function offerFormatting(
  view: EditorView,
  { text, html }: { text: string; html: string },
  serial: number,
  { notify, readMarkdown, showOffer }: FormattingHost,
): void {
  if (!readMarkdown || isFormattedHtml(html) || !looksFormatted(text)) return;
  if (!view.state.plugins.includes(watch)) view.updateState(view.state.reconfigure({ plugins: [watch, ...view.state.plugins] }));
  const offer: Offer = {
    accepted: false,
    end() {
      if (offers.get(view) !== offer) return;
      offers.delete(view);
      showOffer(null);
    },
  };
  offers.set(view, offer);

  function pastedSlice(): { from: number; to: number; slice: Slice } | null {
    const range = view.isDestroyed ? null : questionsKey.getState(view.state);
    return range?.serial === serial ? { ...range, slice: view.state.doc.slice(range.from, range.to) } : null;
  }

  /** Formats the text. Returns remarks on parts that could not be kept, or the fault. */
  async function format(read: ReadMarkdown): Promise<{ remarks: string[] } | { fault: string }> {
    const literal = pastedSlice();
    offer.accepted = true;
    const answer = await read(text);
    const range = pastedSlice();
    // The author has ended the offer meanwhile.
    if (offers.get(view) !== offer) return { fault: '' };
    if ('fault' in answer) {
      offer.accepted = false;
      return answer;
    }
    if (!range || !literal?.slice.eq(range.slice)) {
      notify('warning', 'Le texte collé a changé entre-temps : il reste tel quel.');
      return { remarks: [] };
    }
    view.dispatch(replaceByBlocks(view.state, range, Node.fromJSON(richTextSchema, answer.document).content));
    return answer;
  }

  const leave = () => {
    offer.end();
    view.focus();
  };
  showOffer(<FormattingOffer key={serial} format={() => format(readMarkdown)} onEnd={leave} />);
}

interface FormattingOfferProps {
  format: () => Promise<{ remarks: string[] } | { fault: string }>;
  onEnd: () => void;
}

function FormattingOffer({ format, onEnd }: FormattingOfferProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const [remarks, setRemarks] = useState<readonly string[]>([]);

  async function accept(): Promise<void> {
    if (busy) return;
    setBusy(true);
    const answer = await format();
    setBusy(false);
    if ('fault' in answer) setFault(answer.fault);
    else if (answer.remarks.length > 0) setRemarks(answer.remarks);
    else onEnd();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape ends the offer from each of its buttons
    <div
      className="editor__offered"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onEnd();
      }}
    >
      {remarks.length === 0 ? (
        <p>{fault || 'Ce texte semble contenir des formules ou de la mise en forme.'}</p>
      ) : (
        <div>
          <p>À vérifier dans le texte collé :</p>
          <ul>
            {remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        </div>
      )}
      <p className="actions">
        {remarks.length === 0 && (
          <BusyButton
            className="button button--secondary"
            type="button"
            label={fault ? 'Réessayer' : 'Mettre en forme'}
            busyLabel="Lecture..."
            busy={busy}
            onClick={() => void accept()}
          />
        )}
        <button className="button button--quiet" type="button" onClick={onEnd}>
          {remarks.length === 0 ? 'Laisser tel quel' : "J'ai vérifié"}
        </button>
      </p>
    </div>
  );
}
