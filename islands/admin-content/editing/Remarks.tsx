import { flushSync } from 'react-dom';
import type { TextField } from '../../../src/shared/item-kinds.ts';
import { useNotes } from '../../editor/remarks/use-notes.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { SavedItem } from '../items/calls.ts';
import { type DraftSummary, savedDraft } from '../items/records.ts';
import { textsOf } from '../items/texts.ts';
import type { Editing } from './use-editing.ts';

interface RemarksProps {
  /** The draft on the server as the list knows it. */
  draft: DraftSummary | null;
  /** All remarks: those of the draft's import, which the server keeps, and those of this page. */
  remarks: readonly string[];
  imported: readonly string[];
  editing: Editing;
  kind: DraftSummary['type'];
  /** Saves the draft with these remarks in place of its own. Returns it; null on failure, which the page shows. */
  save: (remarques: string[]) => Promise<SavedItem | null>;
  onShow: (field: TextField) => void;
  onKept: (draft: DraftSummary) => void;
}

/** Shows the parts of a document that could not be kept, until the author settles them: beside their passages, the others in a list. */
export default function Remarks({ draft, remarks, imported, editing, kind, save, onShow, onKept }: RemarksProps) {
  const { state, dispatch, handles } = editing;
  const fields = textsOf(kind).map(({ field }) => field);
  const toTitle = () => document.getElementById(`authoring-${kind}-title`)?.focus();

  /** Those of an import are changed by a save of the draft. */
  async function change(changed: ReadonlyMap<string, string | null>): Promise<boolean> {
    if (draft && imported.some((remark) => changed.has(remark))) {
      const remarques = imported.flatMap((remark) => {
        const left = changed.get(remark);
        return left === undefined ? [remark] : left === null ? [] : [left];
      });
      const saved = await save(remarques);
      if (!saved) return false;
      onKept({ ...savedDraft(draft, saved), remarques });
    }
    const own = state.remarks.filter((remark) => changed.has(remark));
    if (own.length > 0) {
      dispatch({ type: 'remarks read', remarks: own });
      const left = own.flatMap((remark) => (imported.includes(remark) ? [] : (changed.get(remark) ?? [])));
      if (left.length > 0) dispatch({ type: 'remarked', remarks: left });
    }
    return true;
  }

  const { listed, inText, settle, toFirst } = useNotes({
    remarks,
    views: () => fields.flatMap((field) => handles[field].current?.view() ?? []),
    reveal: (index) => {
      const field = fields[index];
      if (field) flushSync(() => onShow(field));
    },
    change,
    busy: state.sending,
    onLast: toTitle,
  });
  if (listed.length + inText === 0) return null;
  return (
    <div className="alert alert--warning">
      <Icon name="warning" />
      <div>
        <p className="alert__title">À vérifier dans ce document</p>
        {listed.length > 0 && (
          <>
            <ul>
              {listed.map((remark) => (
                <li key={remark}>{remark}</li>
              ))}
            </ul>
            <p className="actions">
              <button
                className="button button--quiet"
                type="button"
                onClick={() => {
                  settle(listed);
                  // The button that was pressed is gone.
                  toTitle();
                }}
              >
                {imported.length > 0 ? "C'est réglé" : "J'ai vérifié"}
              </button>
            </p>
          </>
        )}
        {inText > 0 && (
          <>
            <p>{inText === 1 ? '1 remarque dans le texte.' : `${inText} remarques dans le texte.`}</p>
            <p className="actions">
              <button className="button button--quiet" type="button" onClick={toFirst}>
                {inText === 1 ? 'Aller à la remarque' : 'Aller à la première'}
              </button>
            </p>
          </>
        )}
      </div>
    </div>
  );
}
