import { useState } from 'react';
import { MAX_ALT_LENGTH, MAX_IMAGE_SIDE } from '../../../src/shared/rich-text/bounds.ts';
import { FieldFrame, fieldAttributes } from '../../ui/FieldFrame.tsx';
import { type ImageAttributes, insertImage, selectedNode, updateSelected } from '../commands/insertions.ts';
import { AddressField } from './AddressField.tsx';
import type { DialogProps } from './dialog-props.ts';
import { NumberField } from './NumberField.tsx';
import { TextField } from './TextField.tsx';
import { ToolDialog } from './ToolDialog.tsx';
import { usePicture } from './use-picture.ts';

const fileTexts = {
  id: 'editor-image-file',
  hint: "JPG, PNG, GIF ou WebP, 2 Mo maximum ; une photo, jusqu'à 60 Mo, est réduite avant l'envoi",
};
const REFUSED = "Adresse refusée : celle d'une image commence par https:// ou http://";

/** Edits a picture: uploaded or from an address, with its alternative text, size and place. */
export function ImageDialog({ session, uploadImage, onClose }: DialogProps) {
  const [node] = useState(() => selectedNode(session.view.state, 'image', 'figure'));
  const picture = usePicture(node, uploadImage);
  const { address, src, sending, width } = picture;
  const [alt, setAlt] = useState<string>(node?.attrs.alt ?? '');
  const [inline, setInline] = useState(node?.type.name === 'image');
  const [caption, setCaption] = useState(node?.textContent ?? '');

  function submit(): boolean {
    if (src === null) {
      address.refuse(address.value.trim() === '' ? 'Choisissez une image ou donnez son adresse' : REFUSED);
      document.getElementById('editor-image')?.focus();
      return false;
    }
    const attrs: ImageAttributes = { src, alt: alt.trim(), ...picture.size };
    // Keep an existing figure's caption: authors edit it in the text, and it may hold formulas, which the dialog cannot show.
    if (node && (node.type.name === 'image') === inline) return session.run(updateSelected({ ...attrs }));
    return session.run(insertImage(attrs, inline, caption.trim()));
  }

  return (
    <ToolDialog
      title={node ? "Modifier l'image" : 'Insérer une image'}
      action={node ? 'Mettre à jour' : 'Insérer'}
      disabled={sending || !picture.isSized}
      onSubmit={submit}
      onClose={onClose}
    >
      <FieldFrame
        {...fileTexts}
        label={node ? 'Remplacer par un fichier' : 'Fichier'}
        control={
          <input
            className="input"
            {...fieldAttributes(fileTexts)}
            type="file"
            accept="image/jpeg,image/png,image/gif,image/webp"
            disabled={sending}
            onChange={({ target }) => target.files?.[0] && picture.send(target.files[0])}
          />
        }
      >
        <p role="status" className="field__hint">
          {sending ? "Envoi de l'image..." : ''}
        </p>
      </FieldFrame>
      <AddressField
        id="editor-image"
        label="Adresse de l'image"
        hint="Ou l'adresse d'une image en ligne, qui manquera hors ligne"
        address={address}
      />
      {src && <img className="editor__preview" src={src} alt="Aperçu" onLoad={({ currentTarget }) => picture.shown(currentTarget)} />}
      <TextField
        id="editor-alt"
        label="Texte de remplacement"
        hint={
          alt.trim() === ''
            ? "Décrivez ce que montre l'image : ce texte la remplace pour qui ne la voit pas."
            : "Il remplace l'image pour qui ne la voit pas."
        }
        maxLength={MAX_ALT_LENGTH}
        value={alt}
        onChange={setAlt}
      />
      <fieldset className="choices">
        <legend>Disposition</legend>
        <label className="choice">
          <input type="radio" name="editor-place" checked={!inline} onChange={() => setInline(false)} />
          Sur sa propre ligne, avec une légende
        </label>
        <label className="choice">
          <input type="radio" name="editor-place" checked={inline} onChange={() => setInline(true)} />
          Dans la ligne du texte
        </label>
      </fieldset>
      {!inline && node?.type.name !== 'figure' && (
        <TextField
          id="editor-caption"
          label="Légende"
          hint="Sous l'image (facultatif)"
          maxLength={MAX_ALT_LENGTH}
          value={caption}
          onChange={setCaption}
        />
      )}
      {src && (
        <NumberField
          id="editor-width"
          label="Largeur"
          hint="En pixels ; la hauteur suit, et l'image ne dépasse jamais la page"
          value={width}
          min={1}
          max={MAX_IMAGE_SIDE}
          onChange={picture.setWidth}
        />
      )}
    </ToolDialog>
  );
}
