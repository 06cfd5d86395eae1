import { type ChangeEvent, useRef, useState } from 'react';
import { dataAddress } from '../runtime/data-address.ts';
import { fetchScript } from '../runtime/fetch-script.ts';
import { lightPicture } from '../runtime/light-picture.ts';
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

async function reduced(file: File): Promise<File> {
  if (file.size <= lightPicture) return file;
  const module = await fetchScript(() => import('../runtime/reduce-picture.ts')).catch(() => null);
  return module ? module.reducedPicture(file, module.coverPicture) : file;
}

/**
 * Field that chooses and shows a picture. The browser reduces a large one, and checks its type and size; the server checks the file again.
 */
export function PictureField({ required, stored, changedElsewhere, error, nom, onChosen }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef<File | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [chosen, setChosen] = useState(false);
  const [drawnFor, setDrawnFor] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** Why no cover could be drawn. The file that was chosen before stays. */
  const [undrawn, setUndrawn] = useState<string | null>(null);
  const texts = { id: 'edit-image', label: 'Image', hint: 'JPG ou PNG recommandé, 2 Mo maximum', error: undrawn ?? error };

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const picked = target.files?.[0] ?? null;
    latest.current = picked;
    // Nothing is sent meanwhile, in particular not the file that was chosen before.
    if (picked && picked.size > lightPicture) onChosen(null, "Réduction de l'image en cours...");
    const file = picked && (await reduced(picked));
    const fault = file && (await pictureFault(file));
    if (latest.current !== picked) return;
    setDrawnFor(null);
    setUndrawn(null);
    onChosen(file, fault);
    setChosen(file !== null);
    setPreview(file && !fault ? await dataAddress(file).catch(() => null) : null);
  }

  async function draw(name: string): Promise<void> {
    if (busy) return;
    latest.current = null;
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
    latest.current = null;
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
