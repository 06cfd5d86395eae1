import type { DialogProps } from './dialog-props.ts';
import { FormulaDialog } from './FormulaDialog.tsx';
import { ImageDialog } from './ImageDialog.tsx';
import { LinkDialog } from './LinkDialog.tsx';
import { ListStartDialog } from './ListStartDialog.tsx';
import { TableDialog } from './TableDialog.tsx';
import { VideoDialog } from './VideoDialog.tsx';

/** The dialog of this name: fetched when the first of them is opened. */
export function EditorDialog({ name, ...rest }: DialogProps) {
  switch (name) {
    case 'link':
      return <LinkDialog {...rest} />;
    case 'image':
      return <ImageDialog {...rest} />;
    case 'video':
      return <VideoDialog {...rest} />;
    case 'table':
      return <TableDialog {...rest} />;
    case 'list-start':
      return <ListStartDialog {...rest} />;
    case 'formula':
    case 'formula-block':
      return <FormulaDialog display={name === 'formula-block'} {...rest} />;
    default:
      return null;
  }
}
