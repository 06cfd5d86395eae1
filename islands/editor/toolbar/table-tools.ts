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
import { button, type ToolbarGroup } from './toolbar.ts';

const WIDTHS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

/** Returns the groups of the second row, shown while the selection is in a table. */
export function tableGroups(): ToolbarGroup[] {
  return [
    {
      id: 'rows',
      items: [
        button('row-above', 'Insérer une ligne au-dessus', 'rowAbove', addRowBefore, { isEnabled: isInTable }),
        button('row-below', 'Insérer une ligne au-dessous', 'rowBelow', addRowAfter, { isEnabled: isInTable }),
        button('row-delete', 'Supprimer la ligne', 'rowDelete', takingAway(deleteRow), { isEnabled: isInTable }),
      ],
    },
    {
      id: 'columns',
      items: [
        button('column-before', 'Insérer une colonne avant', 'columnBefore', addColumnBefore, { isEnabled: isInTable }),
        button('column-after', 'Insérer une colonne après', 'columnAfter', addColumnAfter, { isEnabled: isInTable }),
        button('column-delete', 'Supprimer la colonne', 'columnDelete', takingAway(deleteColumn), { isEnabled: isInTable }),
        {
          kind: 'menu',
          id: 'width',
          label: 'Largeur de la colonne',
          icon: 'columnWidth',
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
        button('merge', 'Fusionner les cellules', 'mergeCells', mergeCells),
        button('split', 'Scinder la cellule', 'splitCell', splitCell),
        button('header-row', "Ligne d'en-tête", 'headerRow', toggleHeaderRow, { isEnabled: isInTable }),
        button('header-column', "Colonne d'en-tête", 'headerColumn', toggleHeaderColumn, { isEnabled: isInTable }),
        button('table-delete', 'Supprimer le tableau', 'delete', deleteTable, { isEnabled: isInTable }),
      ],
    },
  ];
}
