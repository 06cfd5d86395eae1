import { createPortal } from 'react-dom';
import { useModal } from '../../admin-shared/use-modal.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { shownKeys } from '../toolbar/shortcuts.ts';
import type { ToolbarGroup } from '../toolbar/toolbar.ts';
import type { DialogProps } from './dialog-props.ts';

type Line = readonly [keys: string, act: string];

const keys = (...all: string[]): string => all.map(shownKeys).join(' ou ');

const general: Line[] = [
  [keys('Mod-s'), 'Enregistrer'],
  [keys('Mod-/'), 'Ouvrir cette liste'],
  [keys('Alt-F10'), "Aller à la barre d'outils ; Échap : revenir au texte"],
  ['Échap puis Tab', 'Quitter le texte'],
  ['/', "Au début d'une ligne ou après un espace : choisir un bloc à insérer ; Échap ou espace : garder le signe"],
  [keys('Mod-Shift-v'), 'Coller sans mise en forme'],
];

const writing: Line[] = [
  ['# à ######, puis espace', 'Titre 1 à 6'],
  ['- ou *, puis espace', 'Liste à puces'],
  ['1. ou (1), puis espace', 'Liste numérotée'],
  ['> puis espace', 'Citation'],
  ['``` puis espace', 'Bloc de code'],
  ['---', 'Ligne de séparation'],
  ['$x^2$', 'Formule'],
  [keys('Shift-Enter'), 'Aller à la ligne dans le paragraphe'],
  [keys('Mod-Enter'), 'Quitter un bloc de code ou une légende'],
  [keys('Mod-Shift-m'), 'Formule sur sa propre ligne'],
];

const lists: Line[] = [
  ['Tab, Maj+Tab', 'Dans une liste : augmenter ou diminuer le niveau ; dans un tableau : cellule suivante ou précédente'],
  [keys('Enter'), 'Sur une image, une formule ou une vidéo : la modifier'],
];

function toolLines(groups: readonly ToolbarGroup[]): Line[] {
  return groups
    .flatMap(({ items }) => items)
    .flatMap((item): readonly { keys?: string; label: string }[] => (item.kind === 'menu' ? item.items : [item]))
    .flatMap(({ keys, label }) => (keys ? [[shownKeys(keys), label] as const] : []));
}

/** The keys of the editor. */
export function KeysDialog({ session, onClose }: DialogProps) {
  const dialog = useModal();
  const { main, question } = session.groups;
  return createPortal(
    <Dialog ref={dialog} id="editor-dialog" title="Raccourcis clavier" closeHref="#" dismissible onClose={onClose}>
      <div className="dialog__body">
        <Lines title="Partout" lines={general} />
        <Lines title="Mise en forme" lines={toolLines(main)} />
        <Lines title="En écrivant" lines={writing} />
        <Lines title="Listes, tableaux, images" lines={lists} />
        {question.length > 0 && <Lines title="Dans une question" lines={toolLines(question)} />}
      </div>
    </Dialog>,
    document.body,
  );
}

function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <table className="editor__shortcuts">
      <caption>{title}</caption>
      <tbody>
        {lines.map(([pressed, act]) => (
          <tr key={pressed}>
            <td>
              <kbd>{pressed}</kbd>
            </td>
            <th scope="row">{act}</th>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
