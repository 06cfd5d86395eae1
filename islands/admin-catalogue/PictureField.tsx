import { type ChangeEvent, useRef, useState } from 'react';
import { dataAddress } from '../runtime/data-address.ts';
import { FieldFrame, fieldAttributes } from '../ui/FieldFrame.tsx';
import { pictureFault } from './picture.ts';

interface PictureFieldProps {
  required: boolean;
  stored: string | null;
  changedElsewhere: boolean;
  error: string | undefined;
  onChosen: (file: File | null, fault: string | null) => void;
}

/** Field that chooses and shows a picture. The browser checks the file's type and size; the server checks the file again. */
export function PictureField({ required, stored, changedElsewhere, error, onChosen }: PictureFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [chosen, setChosen] = useState(false);
  const texts = { id: 'edit-image', label: 'Image', hint: 'JPG ou PNG recommandé, 2 Mo maximum', error };

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0] ?? null;
    const fault = file && (await pictureFault(file));
    onChosen(file, fault);
    setChosen(file !== null);
    setPreview(file && !fault ? await dataAddress(file).catch(() => null) : null);
  }

  function remove(): void {
    if (input.current) input.current.value = '';
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
      {chosen && (
        <button className="button button--quiet workbench__remove" type="button" onClick={remove}>
          Retirer ce fichier
        </button>
      )}
      {shown && (
        <figure className="workbench__picture">
          <img className="workbench__preview" src={shown} alt="" width={320} height={180} />
          <figcaption className="field__hint">{preview ? 'Aperçu de la nouvelle image' : storedCaption}</figcaption>
        </figure>
      )}
    </FieldFrame>
  );
}
