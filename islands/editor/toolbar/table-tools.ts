import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  mergeCells,
  splitCell,
  toggleHeaderColumn,
  toggleHeaderRow,
} from 'prosemirror-tables';
import { columnWidth, setColumnWidth, takingAway } from '../commands/tables.ts';
import { binIcon, tableIcons } from './row-icons.ts';
import { button, type ToolbarGroup } from './toolbar.ts';

const WIDTHS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

/** Returns the groups of the second row, shown while the selection is in a table. */
export function tableGroups(): ToolbarGroup[] {
  return [
    {
      id: 'rows',
      items: [
        button('row-above', 'Insérer une ligne au-dessus', tableIcons.rowAbove, addRowBefore, { isEnabled: isInTable }),
        button('row-below', 'Insérer une ligne au-dessous', tableIcons.rowBelow, addRowAfter, { isEnabled: isInTable }),
        button('row-delete', 'Supprimer la ligne', tableIcons.rowDelete, takingAway(deleteRow), { isEnabled: isInTable }),
      ],
    },
    {
      id: 'columns',
      items: [
        button('column-before', 'Insérer une colonne avant', tableIcons.columnBefore, addColumnBefore, { isEnabled: isInTable }),
        button('column-after', 'Insérer une colonne après', tableIcons.columnAfter, addColumnAfter, { isEnabled: isInTable }),
        button('column-delete', 'Supprimer la colonne', tableIcons.columnDelete, takingAway(deleteColumn), { isEnabled: isInTable }),
        {
          kind: 'menu',
          id: 'width',
          label: 'Largeur de la colonne',
          icon: tableIcons.columnWidth,
          items: [
            { id: 'auto', label: 'Automatique', run: setColumnWidth(null) },
            ...WIDTHS.map((width) => ({ id: String(width), label: `${width} %`, run: setColumnWidth(width) })),
          ],
          current: (state) => String(columnWidth(state) ?? 'auto'),
          isEnabled: isInTable,
        },
      ],
    },
    {
      id: 'cells',
      items: [
        button('merge', 'Fusionner les cellules', tableIcons.mergeCells, mergeCells),
        button('split', 'Scinder la cellule', tableIcons.splitCell, splitCell),
        button('header-row', "Ligne d'en-tête", tableIcons.headerRow, toggleHeaderRow, { isEnabled: isInTable }),
        button('header-column', "Colonne d'en-tête", tableIcons.headerColumn, toggleHeaderColumn, { isEnabled: isInTable }),
        button('table-delete', 'Supprimer le tableau', binIcon, deleteTable, { isEnabled: isInTable }),
      ],
    },
  ];
}
