/** The toolbar's icons: 24 by 24, strokes of 2. Defined here, because no other page uses them. */
const paths = {
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  pastePlain: 'M9 4H5v17h14V4h-4M9 2h6v4H9zM9 11V9.5h6V11M12 9.5V17',
  chevron: 'm7 10 5 5 5-5',
  bold: 'M7 4h6a4 4 0 0 1 0 8H7zM7 12h7a4 4 0 0 1 0 8H7z',
  italic: 'M19 4h-9M14 20H5M15 4 9 20',
  underline: 'M6 4v6a6 6 0 0 0 12 0V4M4 21h16',
  strike: 'M16 4H9a3 3 0 0 0-2.8 4M14 12a4 4 0 0 1 0 8H6M4 12h16',
  textColor: 'm6 16 6-12 6 12M8.5 11.5h7M4 21h16',
  backgroundColor: 'm9 11-6 6v3h9l3-3M22 12l-4.6 4.6a2 2 0 0 1-2.8 0L9.4 11.4a2 2 0 0 1 0-2.8L14 4',
  subscript: 'm4 5 8 8M12 5l-8 8M20 19h-4c0-1.5.44-2 1.5-2.5S20 15.33 20 14a2 2 0 0 0-4-.5',
  superscript: 'm4 19 8-8M12 19l-8-8M20 12h-4c0-1.5.44-2 1.5-2.5S20 8.33 20 7a2 2 0 0 0-4-.5',
  code: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
  clear: 'M4 7V4h16v3M5 20h6M13 4 8 20M15 15l5 5M20 15l-5 5',
  bulletList: 'M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01',
  orderedList: 'M10 6h11M10 12h11M10 18h11M4 4h1v5M3.5 9h3M6.5 19h-3c0-1.6 2.8-1.6 2.8-3.2 0-1.3-2-1.6-2.8-.4',
  listStart: 'M11 7h10M11 12h10M11 17h10M3 17l3-10M2.5 10.5h5M2 14h5',
  outdent: 'M21 6H11M21 12H11M21 18H11M7 8l-4 4 4 4',
  indent: 'M21 6H11M21 12H11M21 18H11m-8-10 4 4-4 4',
  alignLeft: 'M3 6h18M3 12h12M3 18h15',
  alignCenter: 'M3 6h18M7 12h10M5 18h14',
  alignRight: 'M3 6h18M9 12h12M6 18h15',
  alignJustify: 'M3 6h18M3 12h18M3 18h18',
  rightToLeft: 'M13 4v12M17 4v12M19 4h-8a4 4 0 0 0 0 8h2M21 20H4m3-3-3 3 3 3',
  quote: 'M4 5v14M9 7h11M9 12h11M9 17h7',
  codeBlock: 'M4 4h16v16H4zM10 9l-3 3 3 3M14 9l3 3-3 3',
  rule: 'M3 12h18M7 6h10M7 18h10',
  link: 'M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7',
  unlink: 'M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7M3 3l18 18',
  edit: 'M12 20h9M16.5 3.5a2.1 2.1 0 0 1 3 3L7 19l-4 1 1-4z',
  image: 'M3 5h18v14H3zM8.5 11a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3M21 15l-5-5L6 19',
  video: 'M3 5h18v14H3zM10 9v6l5-3z',
  table: 'M3 4h18v16H3zM3 10h18M3 15h18M9 4v16M15 4v16',
  formula: 'M18 7V4H6l7 8-7 8h12v-3',
  question: 'M4 3h16v14h-7l-4 4v-4H4zM9.8 8a2.2 2.2 0 1 1 3.1 2c-.6.3-.9.7-.9 1.3M12 14h.01',
  toQuestion: 'M3 5h9M3 10h6M3 15h6M13 12a3.5 3.5 0 1 1 4.8 3.2c-.9.4-1.3 1-1.3 1.9M16.5 21h.01',
  find: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12 4 4',
  importFile: 'M14 3H6a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8zM14 3v5h5M12 11v6m-3-3 3 3 3-3',
} as const;

/** The name of an icon, or the path itself, for tools that are loaded on first use. */
export type IconName = keyof typeof paths | `M${string}` | `m${string}`;

const isNamed = (name: IconName): name is keyof typeof paths => name in paths;

/** Returns the path of an icon. */
export const iconPath = (name: IconName): string => (isNamed(name) ? paths[name] : name);

/** One of the editor's icons; only decoration. */
export function EditorIcon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={iconPath(name)} />
    </svg>
  );
}
