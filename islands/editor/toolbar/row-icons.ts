/** Icons of the toolbar's rows for tables and questions, in the form of icons.tsx. They are loaded with their tools. */

export const binIcon = 'M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3';

export const tableIcons = {
  rowAbove: 'M3 13h18v7H3zM12 13v7M12 3v6M9 6h6',
  rowBelow: 'M3 4h18v7H3zM12 4v7M12 15v6M9 18h6',
  rowDelete: 'M3 4h18v7H3zM12 4v7M9 15l6 6M15 15l-6 6',
  columnBefore: 'M13 3h7v18h-7zM13 12h7M3 12h6M6 9v6',
  columnAfter: 'M4 3h7v18H4zM4 12h7M15 12h6M18 9v6',
  columnDelete: 'M4 3h7v18H4zM4 12h7M15 9l6 6M21 9l-6 6',
  columnWidth: 'M4 4v16M20 4v16M8 12h8M10 9l-3 3 3 3M14 9l3 3-3 3',
  mergeCells: 'M3 4h18v16H3zM12 4v4M12 16v4M6 12h4M18 12h-4M8 10l2 2-2 2M16 10l-2 2 2 2',
  splitCell: 'M3 4h18v16H3zM12 4v16M9 12H6M15 12h3M7.5 10l-2 2 2 2M16.5 10l2 2-2 2',
  headerRow: 'M3 4h18v16H3zM3 10h18M12 10v10M6 7h12',
  headerColumn: 'M3 4h18v16H3zM9 4v16M9 12h12M6 7v10',
} as const;

export const questionIcons = {
  right: 'M4 4h16v16H4zm4 8 3 3 5-6',
  remark: 'M4 4h16v12H10l-5 4v-4H4zM8 8h8M8 12h5',
  up: 'M12 20V4m-6 6 6-6 6 6',
  down: 'M12 4v16m-6-6 6 6 6-6',
  add: 'M4 6h16M4 11h16M12 15v7m-3.5-3.5h7',
  deleteChoice: 'M4 6h16M4 11h16M9 16l6 6M15 16l-6 6',
  explanation: 'M9 18h6M10 21h4M9 15c0-2-3-3-3-7a6 6 0 0 1 12 0c0 4-3 5-3 7z',
} as const;
