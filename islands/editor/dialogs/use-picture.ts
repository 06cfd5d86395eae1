import type { Node } from 'prosemirror-model';
import { useState } from 'react';
import { imageAddress, isDataImage } from '../../../src/shared/rich-text/addresses.ts';
import { MAX_IMAGE_SIDE } from '../../../src/shared/rich-text/bounds.ts';
import { sendPicture } from '../paste/send-picture.ts';
import { useAddress } from './AddressField.tsx';
import { completeAddress } from './complete-address.ts';
import type { DialogProps } from './dialog-props.ts';
import { wholeNumber } from './NumberField.tsx';

/** Holds the picture of the dialog, by address or uploaded, and its size. @param node the edited picture */
export function usePicture(node: Node | null, uploadImage: DialogProps['uploadImage']) {
  const address = useAddress(node?.attrs.src ?? '');
  const [width, setWidth] = useState(node?.attrs.width ? String(node.attrs.width) : '');
  const [ratio, setRatio] = useState<number | null>(node?.attrs.width && node.attrs.height ? node.attrs.height / node.attrs.width : null);
  const [sending, setSending] = useState(false);
  const isData = isDataImage(address.value);
  const wide = width === '' ? null : wholeNumber(width, 1, MAX_IMAGE_SIDE);

  async function send(file: File): Promise<void> {
    setSending(true);
    address.refuse(undefined);
    const { result } = await sendPicture(file, { uploadImage });
    setSending(false);
    if ('fault' in result) return address.refuse(result.fault);
    address.onChange(result.src);
    measure(result.width, result.height);
  }

  function measure(wide: number | null, high: number | null): void {
    if (!wide || !high) return;
    setRatio(high / wide);
    setWidth(String(Math.min(wide, MAX_IMAGE_SIDE)));
  }

  return {
    /** The typed address; '' for a `data:` address, which is not readable. */
    address: isData ? { ...address, value: '' } : address,
    /** The picture's address, or null if there is none or it is not allowed. */
    src: imageAddress(isData ? address.value : completeAddress(address.value)),
    width,
    setWidth,
    isSized: width === '' || wide !== null,
    size: { width: wide, height: wide && ratio ? Math.min(MAX_IMAGE_SIDE, Math.max(1, Math.round(wide * ratio))) : null },
    sending,
    send,
    /** Call when the picture is loaded, to get its size if it is unknown. */
    shown: ({ naturalWidth, naturalHeight }: HTMLImageElement) => ratio === null && measure(naturalWidth, naturalHeight),
  };
}
