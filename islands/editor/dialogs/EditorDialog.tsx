import type { ComponentType } from 'react';
import type { DialogProps } from './dialog-props.ts';
import { FormulaDialog } from './FormulaDialog.tsx';
import { ImageDialog } from './ImageDialog.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import { ListNumberingDialog } from './ListNumberingDialog.tsx';
import { TableDialog } from './TableDialog.tsx';
import { VideoDialog } from './VideoDialog.tsx';

const dialogs: Record<DialogProps['name'], ComponentType<DialogProps>> = {
  link: LinkDialog,
  image: ImageDialog,
  video: VideoDialog,
  table: TableDialog,
  'list-start': ListNumberingDialog,
  keys: KeysDialog,
  formula: FormulaDialog,
  'formula-block': FormulaDialog,
};

/** The dialog of this name. This script is loaded when the first dialog is opened. */
export function EditorDialog(props: DialogProps) {
  const Dialog = dialogs[props.name];
  return <Dialog {...props} />;
}
