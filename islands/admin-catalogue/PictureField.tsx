import { type ChangeEvent, useState } from 'react';
import { FieldFrame, fieldAttributes } from '../ui/FieldFrame.tsx';
import { pictureFault, readPicture } from './picture.ts';

interface PictureFieldProps {
  required: boolean;
  /** Address of the picture that is stored already. */
  stored: string | null;
  error: string | undefined;
  onChosen: (file: File | null, fault: string | null) => void;
}

/** Chooses a picture and shows it, judged as far as a browser can; the server judges it again. */
export function PictureField({ required, stored, error, onChosen }: PictureFieldProps) {
  const [preview, setPreview] = useState<string | null>(null);
  const texts = { id: 'edit-image', label: 'Image', hint: 'JPG ou PNG recommandé, 2 Mo maximum', error };

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const file = target.files?.[0] ?? null;
    const fault = file && (await pictureFault(file));
    onChosen(file, fault);
    setPreview(file && !fault ? await readPicture(file).catch(() => null) : null);
  }

  const shown = preview ?? stored;
  return (
    <FieldFrame
      {...texts}
      control={
        <input
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
      {shown && (
        <img
          className="workbench__preview"
          src={shown}
          alt={preview ? 'Aperçu de la nouvelle image' : 'Actuelle'}
          width={320}
          height={180}
        />
      )}
    </FieldFrame>
  );
}
