import { useState } from 'react';
import { linkAddress } from '../../../src/shared/rich-text/addresses.ts';
import { applyLink, linkAt, removeLink } from '../commands/marks.ts';
import { textSelected } from '../commands/whole-text.ts';
import { AddressField, useAddress } from './AddressField.tsx';
import { completeAddress } from './complete-address.ts';
import type { DialogProps } from './dialog-props.ts';
import { TextField } from './TextField.tsx';
import { ToolDialog } from './ToolDialog.tsx';

const SCHEME = 'Adresse refusée : un lien commence par http://, https://, mailto: ou tel:';
const BROKEN = "Adresse refusée : elle n'est pas complète, contient un signe interdit ou dépasse 2 000 caractères";

const refusal = (address: string): string => {
  if (address === '') return "L'adresse est requise";
  return /^(?:https?:\/\/|mailto:|tel:)/i.test(address) ? BROKEN : SCHEME;
};

/** Edits the address and text of the link at the selection, or of a new one. */
export function LinkDialog({ session, onClose }: DialogProps) {
  const [{ link, written }] = useState(() => {
    const state = textSelected(session.view.state);
    const here = linkAt(state);
    const { from, to } = here ?? state.selection;
    return { link: here, written: plainText(state.doc, from, to) };
  });
  const address = useAddress(link?.href ?? '');
  const [text, setText] = useState(written ?? '');

  function submit(): boolean {
    const completed = completeAddress(address.value);
    const href = linkAddress(completed);
    if (href !== null) return session.run(applyLink(href, text));
    address.refuse(refusal(completed));
    return false;
  }

  const remove = link && (
    <button className="button button--secondary" type="button" data-closes onClick={() => session.run(removeLink)}>
      Retirer le lien
    </button>
  );
  return (
    <ToolDialog
      title={link ? 'Modifier le lien' : 'Insérer un lien'}
      action={link ? 'Mettre à jour' : 'Insérer'}
      first="#editor-link"
      onSubmit={submit}
      onClose={onClose}
      further={remove}
    >
      <AddressField id="editor-link" label="Adresse" hint="Par exemple https://www.exemple.cm ou nom@exemple.cm" address={address} />
      {written !== null && <TextField id="editor-link-text" label="Texte du lien" value={text} onChange={setText} />}
    </ToolDialog>
  );
}

type Doc = DialogProps['session']['view']['state']['doc'];

/** Returns the text between two positions of one block; null if there is other content, which a text field cannot hold. */
function plainText(doc: Doc, from: number, to: number): string | null {
  if (!doc.resolve(from).sameParent(doc.resolve(to))) return null;
  let onlyText = true;
  doc.nodesBetween(from, to, (node) => {
    if (node.isInline && !node.isText) onlyText = false;
  });
  return onlyText ? doc.textBetween(from, to) : null;
}
