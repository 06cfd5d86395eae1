import { useRef, useState } from 'react';
import { imageAddress, isDataImage } from '../../../src/shared/rich-text/addresses.ts';
import { MAX_ALT_LENGTH, MAX_IMAGE_SIDE } from '../../../src/shared/rich-text/bounds.ts';
import { type ImageAttributes, insertImage, selectedNode, updateSelected } from '../commands/insertions.ts';
import { completeAddress } from './complete-address.ts';
import type { DialogProps } from './dialog-props.ts';
import { NumberField, wholeNumber } from './NumberField.tsx';
import { TextField } from './TextField.tsx';
import { ToolDialog } from './ToolDialog.tsx';

const REFUSED = "Adresse refusée : celle d'une image commence par https:// ou http://";

/** A picture: sent from this device or standing elsewhere, with what it says to those who do not see it, its size and its place. */
export function ImageDialog({ session, uploadImage, onClose }: Omit<DialogProps, 'name'>) {
  const [node] = useState(() => selectedNode(session.view.state, 'image', 'figure'));
  const [src, setSrc] = useState<string>(node?.attrs.src ?? '');
  const [alt, setAlt] = useState<string>(node?.attrs.alt ?? '');
  const [width, setWidth] = useState(node?.attrs.width ? String(node.attrs.width) : '');
  const [ratio, setRatio] = useState<number | null>(node?.attrs.width && node.attrs.height ? node.attrs.height / node.attrs.width : null);
  const [inline, setInline] = useState(node?.type.name === 'image');
  const [caption, setCaption] = useState(node?.textContent ?? '');
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<string>();
  const first = useRef<HTMLInputElement>(null);
  const address = imageAddress(isDataImage(src) ? src : completeAddress(src));

  async function send(file: File): Promise<void> {
    setSending(true);
    setError(undefined);
    const result = await uploadImage(file).catch(() => ({
      fault: "L'image n'a pas pu être envoyée. Vérifiez votre connexion et réessayez.",
    }));
    setSending(false);
    if ('fault' in result) return setError(result.fault);
    setSrc(result.src);
    measure(result.width, result.height);
  }

  function measure(wide: number | null, high: number | null): void {
    if (!wide || !high) return;
    setRatio(high / wide);
    setWidth(String(Math.min(wide, MAX_IMAGE_SIDE)));
  }

  function submit(): boolean {
    if (address === null) {
      setError(src.trim() === '' ? 'Choisissez une image ou donnez son adresse' : REFUSED);
      first.current?.focus();
      return false;
    }
    const wide = width === '' ? null : wholeNumber(width, 1, MAX_IMAGE_SIDE);
    const attrs: ImageAttributes = {
      src: address,
      alt: alt.trim(),
      width: wide,
      height: wide && ratio ? Math.min(MAX_IMAGE_SIDE, Math.max(1, Math.round(wide * ratio))) : null,
    };
    // A figure's caption may hold formulas, which no field shows: it is written in the text.
    if (node && (node.type.name === 'image') === inline) return session.run(updateSelected({ ...attrs }));
    return session.run(insertImage(attrs, inline, caption.trim()));
  }

  return (
    <ToolDialog
      title={node ? "Modifier l'image" : 'Insérer une image'}
      action={node ? 'Mettre à jour' : 'Insérer'}
      disabled={sending || (width !== '' && wholeNumber(width, 1, MAX_IMAGE_SIDE) === null)}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="field">
        <label htmlFor="editor-image-file">{node ? 'Remplacer par un fichier' : 'Fichier'}</label>
        <p className="field__hint" id="editor-image-file-hint">
          JPG, PNG, GIF ou WebP, 2 Mo maximum
        </p>
        <input
          className="input"
          id="editor-image-file"
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          aria-describedby="editor-image-file-hint"
          disabled={sending}
          onChange={({ target }) => target.files?.[0] && send(target.files[0])}
        />
        <p role="status" className="field__hint">
          {sending ? "Envoi de l'image..." : ''}
        </p>
      </div>
      <TextField
        id="editor-image"
        label="Adresse de l'image"
        hint="Ou l'adresse d'une image en ligne"
        error={error}
        ref={first}
        inputMode="url"
        autoComplete="off"
        value={isDataImage(src) ? '' : src}
        onChange={(typed) => {
          setSrc(typed);
          setError(undefined);
        }}
      />
      {address && (
        <img
          className="editor__preview"
          src={address}
          alt="Aperçu"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => ratio === null && measure(naturalWidth, naturalHeight)}
        />
      )}
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
      {address && (
        <NumberField
          id="editor-width"
          label="Largeur"
          hint="En pixels ; la hauteur suit, et l'image ne dépasse jamais la page"
          value={width}
          min={1}
          max={MAX_IMAGE_SIDE}
          onChange={setWidth}
        />
      )}
    </ToolDialog>
  );
}
