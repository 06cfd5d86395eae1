import { redo, undo } from 'prosemirror-history';
import type { MarkType, NodeType } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import type { Alignment } from '../../../src/shared/rich-text/block-format.ts';
import { backgroundColors, type PaletteColor, textColors } from '../../../src/shared/rich-text/palette.ts';
import { richTextSchema } from '../../../src/shared/rich-text/schema.ts';
import {
  type BlockKind,
  blockKind,
  canFormat,
  clearFormatting,
  isAligned,
  isQuoted,
  isRightToLeft,
  setAlignment,
  setLevel,
  toggleBlockquote,
  toggleCodeBlock,
  toggleDirection,
} from '../commands/blocks.ts';
import { type DialogName, dialogCommand, type EditorHost } from '../commands/editor-host.ts';
import { insertQuestion, insertRule } from '../commands/insertions.ts';
import { indent, isInList, outdent, toggleList } from '../commands/lists.ts';
import { colorAt, isMarked, linkAt, setColor, toggle } from '../commands/marks.ts';
import { transformSelected } from '../commands/written-text.ts';
import { pastePlain } from '../paste/paste-plain.ts';
import type { IconName } from './icons.tsx';
import { onMac, shownKeys } from './shortcuts.ts';

/** A button of the toolbar. The button is disabled while its command is. */
interface ToolbarButton {
  readonly kind: 'button';
  readonly id: string;
  /** The French tooltip and accessible name. */
  readonly label: string;
  readonly icon: IconName;
  /** Keys in the format of keymap.ts: Mod-b. */
  readonly keys?: string;
  readonly run: Command;
  /** Returns whether the format applies to the selection. Only buttons with this function can be pressed. */
  readonly isActive?: (state: EditorState) => boolean;
  /** A cheaper test than trying the command. Called once per frame. */
  readonly isEnabled?: (state: EditorState) => boolean;
  /** Whether the command opens a dialog, which takes the focus. */
  readonly opensDialog?: boolean;
}

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly keys?: string;
  /** Class of the sample shown before the label. */
  readonly sample?: string;
  readonly run: Command;
}

/** A button that opens a list of entries, of which one applies to the selection. */
export interface ToolbarMenu {
  readonly kind: 'menu';
  readonly id: string;
  readonly label: string;
  /** Icon of the button, which otherwise shows the label of the current entry. */
  readonly icon?: IconName;
  readonly items: readonly MenuItem[];
  readonly current: (state: EditorState) => string | null;
  readonly isEnabled?: (state: EditorState) => boolean;
}

export type ToolbarItem = ToolbarButton | ToolbarMenu;

export interface ToolbarGroup {
  readonly id: string;
  readonly items: readonly ToolbarItem[];
}

const { marks, nodes } = richTextSchema;

const inText = (state: EditorState): boolean => {
  const kind = blockKind(state);
  return kind !== 'code' && (kind !== null || !state.selection.empty);
};

export const button = (id: string, label: string, icon: IconName, run: Command, more: Partial<ToolbarButton> = {}): ToolbarButton => ({
  kind: 'button',
  id,
  label,
  icon,
  run,
  ...more,
});

const mark = (type: MarkType, label: string, icon: IconName, keys?: string): ToolbarButton =>
  button(type.name, label, icon, toggle(type), {
    ...(keys && { keys }),
    isActive: (state) => isMarked(state, type),
    isEnabled: inText,
  });

const alignment = (align: Alignment, id: string, label: string, icon: IconName, keys: string): ToolbarButton =>
  button(id, label, icon, setAlignment(align), { keys, isActive: (state) => isAligned(state, align), isEnabled: canFormat });

const list = (type: NodeType, label: string, icon: IconName, keys: string): ToolbarButton =>
  button(type.name, label, icon, toggleList(type), { keys, isActive: (state) => isInList(state, type) });

function colors(type: MarkType, label: string, icon: IconName, palette: readonly PaletteColor[], prefix: string) {
  const item = (color: PaletteColor | null): MenuItem => ({
    id: color?.name ?? 'none',
    label: color?.label ?? 'Aucune',
    sample: color ? prefix + color.name : 'editor__no-color',
    run: setColor(type, color?.name ?? null),
  });
  return {
    kind: 'menu',
    id: type.name,
    label,
    icon,
    items: [item(null), ...palette.map(item)],
    current: (state) => colorAt(state, type) ?? 'none',
    isEnabled: inText,
  } satisfies ToolbarMenu;
}

const LEVELS = [1, 2, 3, 4, 5, 6] as const;
const kindId = (kind: BlockKind): string | null => (typeof kind === 'number' ? `h${kind}` : kind);

// The keys of Word. On a Mac, Alt and Shift select words. Ctrl with a bracket needs AltGr on a French keyboard.
const SHIFTS = onMac ? 'Ctrl-Shift-' : 'Alt-Shift-';

/** What a text may have besides the formats of all texts. */
export interface TextTools {
  readonly withImport: boolean;
  readonly withQuestions: boolean;
}

/** Returns the toolbar's groups, from left to right. */
export function toolbarGroups(host: Pick<EditorHost, 'openDialog' | 'notify'>, { withImport, withQuestions }: TextTools): ToolbarGroup[] {
  const opening = (id: DialogName, label: string, icon: IconName, keys?: string) =>
    button(id, label, icon, dialogCommand(host, id), { ...(keys && { keys }), opensDialog: true });
  return [
    {
      id: 'history',
      items: [button('undo', 'Annuler', 'undo', undo, { keys: 'Mod-z' }), button('redo', 'Rétablir', 'redo', redo, { keys: 'Mod-y' })],
    },
    {
      id: 'block',
      items: [
        {
          kind: 'menu',
          id: 'level',
          label: 'Style du paragraphe',
          items: [
            { id: 'paragraph', label: 'Paragraphe', keys: 'Mod-Alt-0', run: setLevel(0) },
            ...LEVELS.map((level) => ({
              id: `h${level}`,
              label: `Titre ${level}`,
              keys: `Mod-Alt-${level}`,
              sample: `editor__h${level}`,
              run: setLevel(level),
            })),
          ],
          current: (state) => kindId(blockKind(state)),
        },
      ],
    },
    {
      id: 'marks',
      items: [
        mark(marks.strong, 'Gras', 'bold', 'Mod-b'),
        mark(marks.em, 'Italique', 'italic', 'Mod-i'),
        mark(marks.underline, 'Souligné', 'underline', 'Mod-u'),
        mark(marks.strike, 'Barré', 'strike', 'Mod-Shift-x'),
        colors(marks.text_color, 'Couleur du texte', 'textColor', textColors, 'editor__ink color-'),
        colors(marks.background_color, 'Couleur de fond', 'backgroundColor', backgroundColors, 'bg-'),
        mark(marks.subscript, 'Indice', 'subscript', 'Mod-,'),
        mark(marks.superscript, 'Exposant', 'superscript', 'Mod-.'),
        mark(marks.code, 'Code dans la ligne', 'code'),
        button('clear', 'Effacer la mise en forme', 'clear', clearFormatting, { keys: 'Ctrl-Space', isEnabled: () => true }),
      ],
    },
    {
      id: 'lists',
      items: [
        list(nodes.bullet_list, 'Liste à puces', 'bulletList', 'Mod-Shift-8'),
        list(nodes.ordered_list, 'Liste numérotée', 'orderedList', 'Mod-Shift-7'),
        button('list-start', 'Numérotation de la liste', 'listStart', dialogCommand(host, 'list-start'), {
          isEnabled: (state) => isInList(state, nodes.ordered_list),
          opensDialog: true,
        }),
        button('outdent', 'Diminuer le retrait', 'outdent', outdent, { keys: `${SHIFTS}ArrowLeft` }),
        button('indent', 'Augmenter le retrait', 'indent', indent, { keys: `${SHIFTS}ArrowRight` }),
      ],
    },
    {
      id: 'alignment',
      items: [
        alignment('left', 'align-left', 'Aligner à gauche', 'alignLeft', 'Mod-l'),
        alignment('center', 'align-center', 'Centrer', 'alignCenter', 'Mod-e'),
        alignment('right', 'align-right', 'Aligner à droite', 'alignRight', 'Mod-r'),
        alignment('justify', 'align-justify', 'Justifier', 'alignJustify', 'Mod-j'),
        button('rtl', 'De droite à gauche', 'rightToLeft', toggleDirection, { isActive: isRightToLeft, isEnabled: canFormat }),
      ],
    },
    {
      id: 'blocks',
      items: [
        button('blockquote', 'Citation', 'quote', toggleBlockquote, { keys: 'Mod-Shift-9', isActive: isQuoted }),
        button('code_block', 'Bloc de code', 'codeBlock', toggleCodeBlock, { isActive: (state) => blockKind(state) === 'code' }),
        button('rule', 'Ligne de séparation', 'rule', insertRule, { isEnabled: inText }),
      ],
    },
    {
      id: 'insert',
      items: [
        button('link', 'Lien', 'link', dialogCommand(host, 'link', inText), {
          keys: 'Mod-k',
          isActive: (state) => linkAt(state) !== null,
          opensDialog: true,
        }),
        opening('image', 'Image', 'image'),
        opening('video', 'Vidéo', 'video'),
        opening('table', 'Tableau', 'table'),
        opening('formula', 'Formule', 'formula', 'Mod-m'),
        ...(withQuestions
          ? [
              button('question', 'Question', 'question', insertQuestion, { keys: 'Mod-Shift-6' }),
              button('to-question', 'Transformer en question', 'toQuestion', transformSelected),
            ]
          : []),
        button('paste-plain', `Coller sans mise en forme (${shownKeys('Mod-Shift-v')})`, 'pastePlain', pastePlain(host)),
        opening('find', 'Rechercher dans ce texte', 'find', 'Mod-f'),
        ...(withImport ? [opening('import', 'Importer un document (Word, LibreOffice, HTML, Markdown ou TeX)', 'importFile')] : []),
      ],
    },
  ];
}
