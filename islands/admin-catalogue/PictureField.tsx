import { type ChangeEvent, useRef, useState } from 'react';
import { dataAddress } from '../runtime/data-address.ts';
import { FieldFrame, fieldAttributes } from '../ui/FieldFrame.tsx';
import { drawnCover } from './drawn-cover.ts';
import { pictureFault } from './picture.ts';

interface PictureFieldProps {
  required: boolean;
  stored: string | null;
  changedElsewhere: boolean;
  error: string | undefined;
  /** Name from which a cover can be drawn; null if this record has no drawn cover. */
  nom: string | null;
  onChosen: (file: File | null, fault: string | null) => void;
}

/** Field that chooses and shows a picture. The browser checks the file's type and size; the server checks the file again. */
export function PictureField({ required, stored, changedElsewhere, error, nom, onChosen }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [chosen, setChosen] = useState(false);
  const [drawnFor, setDrawnFor] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** Why no cover could be drawn. The file that was chosen before stays. */
  const [undrawn, setUndrawn] = useState<string | null>(null);
  const texts = { id: 'edit-image', label: 'Image', hint: 'JPG ou PNG recommandé, 2 Mo maximum', error: undrawn ?? error };

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0] ?? null;
    const fault = file && (await pictureFault(file));
    setDrawnFor(null);
    setUndrawn(null);
    onChosen(file, fault);
    setChosen(file !== null);
    setPreview(file && !fault ? await dataAddress(file).catch(() => null) : null);
  }

  async function draw(name: string): Promise<void> {
    if (busy) return;
    setBusy(true);
    const drawn = await drawnCover(name);
    setBusy(false);
    if (typeof drawn === 'string') return setUndrawn(drawn);
    if (input.current) input.current.value = '';
    setUndrawn(null);
    onChosen(drawn, null);
    setChosen(true);
    setDrawnFor(name);
    setPreview(await dataAddress(drawn).catch(() => null));
  }

  function remove(): void {
    if (input.current) input.current.value = '';
    setDrawnFor(null);
    setUndrawn(null);
    onChosen(null, null);
    setChosen(false);
    setPreview(null);
    input.current?.focus();
  }

  const shown = preview ?? (chosen ? null : stored);
  const storedCaption = changedElsewhere ? 'Image actuelle, modifiée entre-temps' : 'Image actuelle';
  return (
    <FieldFrame
      {...texts}
      control={
        <input
          ref={input}
          className="input"
          type="file"
          name="image"
          accept="image/jpeg,image/png"
          required={required}
          {...fieldAttributes(texts)}
          onChange={choose}
        />
      }
    >
      {nom !== null && (
        <button className="button button--secondary workbench__remove" type="button" aria-busy={busy} onClick={() => draw(nom.trim())}>
          Utiliser une couverture dessinée
        </button>
      )}
      {chosen && (
        <button className="button button--quiet workbench__remove" type="button" onClick={remove}>
          {drawnFor === null ? 'Retirer ce fichier' : 'Retirer cette couverture'}
        </button>
      )}
      {shown && (
        <figure className="workbench__picture">
          <img className="workbench__preview" src={shown} alt="" width={320} height={180} />
          <figcaption className="field__hint">
            {drawnFor !== null ? `Couverture dessinée pour « ${drawnFor} »` : preview ? 'Aperçu de la nouvelle image' : storedCaption}
          </figcaption>
        </figure>
      )}
    </FieldFrame>
  );
}
