import { useState } from 'react';
import { videoAddress } from '../../../src/shared/rich-text/addresses.ts';
import { MAX_ALT_LENGTH } from '../../../src/shared/rich-text/bounds.ts';
import { insertVideo, selectedNode } from '../commands/insertions.ts';
import { AddressField, useAddress } from './AddressField.tsx';
import { completeAddress } from './complete-address.ts';
import type { DialogProps } from './dialog-props.ts';
import { TextField } from './TextField.tsx';
import { ToolDialog } from './ToolDialog.tsx';

const REFUSED =
  "Vidéo non reconnue : donnez l'adresse d'une vidéo YouTube ou Vimeo, ou celle d'un fichier en https:// qui finit par .mp4, .webm ou .ogv";

/** Edits an external video. Learners see a card and load the video only on request. */
export function VideoDialog({ session, onClose }: DialogProps) {
  const [video] = useState(() => selectedNode(session.view.state, 'video'));
  const address = useAddress(video?.attrs.src ?? '');
  const [title, setTitle] = useState<string>(video?.attrs.title ?? '');

  function submit(): boolean {
    const src = videoAddress(completeAddress(address.value));
    if (src !== null) return session.run(insertVideo(src, title.trim()));
    address.refuse(address.value.trim() === '' ? "L'adresse est requise" : REFUSED);
    return false;
  }

  return (
    <ToolDialog
      title={video ? 'Modifier la vidéo' : 'Insérer une vidéo'}
      action={video ? 'Mettre à jour' : 'Insérer'}
      first="#editor-video"
      onSubmit={submit}
      onClose={onClose}
    >
      <AddressField
        id="editor-video"
        label="Adresse de la vidéo"
        hint="YouTube, Vimeo ou fichier https (.mp4, .webm, .ogv)"
        address={address}
      />
      <TextField
        id="editor-video-title"
        label="Titre"
        hint="Ce que montre la vidéo (facultatif)"
        maxLength={MAX_ALT_LENGTH}
        value={title}
        onChange={setTitle}
      />
    </ToolDialog>
  );
}
