import { type FormEvent, type Ref, useState } from 'react';
import { type ItemKind, kindDetails, type TextField } from '../../../src/shared/item-kinds.ts';
import { RichTextEditor } from '../../editor/RichTextEditor.tsx';
import type { FieldErrors } from '../../forms/form-fields.ts';
import { Field } from '../../ui/Field.tsx';
import { Tabs, tabPanel } from '../../ui/tabs/Tabs.tsx';
import { readMarkdown, uploadImage } from '../items/calls.ts';
import type { ItemFields } from '../items/item-fields.ts';
import { intituleHint, textsOf } from '../items/texts.ts';
import type { ItemTask } from './ItemDialogs.tsx';
import { RuleFields } from './RuleFields.tsx';
import { SaveBar } from './SaveBar.tsx';
import type { Opened } from './saving.ts';
import type { Editing } from './use-editing.ts';

interface ItemFormProps {
  ref: Ref<HTMLFormElement>;
  kind: ItemKind;
  editing: Editing;
  faults: FieldErrors;
  /** The text in the current tab. */
  shown: TextField;
  onShow: (field: TextField) => void;
  onTask: (task: ItemTask) => void;
  onSave: () => void;
  opened: Opened;
}

const scaleHint =
  "Pour que le candidat se donne une note sur 20 : écrivez les points dans les titres, comme 'Exercice 1 (5 points)', ou finissez par un titre 'Barème' et une liste, comme 'Introduction : 4 points'.";

/** The fields and texts of the open item. */
export function ItemForm({ ref, kind, editing, faults, shown, onShow, onTask, onSave, opened }: ItemFormProps) {
  const { state, dispatch } = editing;
  const [isFullTitleOpen, setFullTitleOpen] = useState(false);
  const fields = textsOf(kind);
  const errors = { ...state.refused, ...faults };
  const id = `authoring-${kind}`;
  const type = (field: keyof ItemFields, value: string) => {
    dispatch({ type: 'typed', field, value });
    editing.changed();
  };
  const bind = (field: keyof ItemFields) => ({
    name: field,
    value: state[field],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => type(field, target.value),
  });
  return (
    <form
      className="form authoring__form"
      noValidate
      ref={ref}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSave();
      }}
    >
      <div className="authoring__fields">
        <Field id={`${id}-titre`} label="Titre" error={errors.titre} input={{ ...bind('titre'), type: 'text' }} />
        {kindDetails[kind].hasAnnee && (
          <Field id={`${id}-annee`} label="Année" error={errors.annee} input={{ ...bind('annee'), type: 'text', inputMode: 'numeric' }} />
        )}
        {kindDetails[kind].hasDuree && (
          <Field
            id={`${id}-duree`}
            label={kind === 'quiz' ? 'Durée (minutes)' : 'Durée conseillée (minutes)'}
            error={errors.duree}
            input={{ ...bind('duree'), type: 'text', inputMode: 'numeric' }}
          />
        )}
        {kindDetails[kind].hasBareme && (
          <RuleFields id={id} typed={state.bareme} error={errors.bareme} onType={(typed) => type('bareme', typed)} />
        )}
        {isFullTitleOpen || state.intitule || errors.intitule ? (
          <div className="authoring__full-title">
            <Field
              id={`${id}-intitule`}
              label="Intitulé complet (facultatif)"
              hint={intituleHint}
              error={errors.intitule}
              input={{ ...bind('intitule'), type: 'text', required: false, autoFocus: isFullTitleOpen }}
            />
          </div>
        ) : (
          <button className="button button--quiet" type="button" onClick={() => setFullTitleOpen(true)}>
            Intitulé complet...
          </button>
        )}
      </div>
      <div className="authoring__texts">
        {fields.length > 1 && (
          <Tabs
            id={id}
            label="Textes"
            tabs={fields.map(({ field, label }) => ({ name: field, label }))}
            selected={shown}
            onSelect={onShow}
          />
        )}
        {fields.map(({ field, label }) => (
          <div key={field} {...(fields.length > 1 ? tabPanel(id, field) : {})} hidden={field !== shown}>
            <RichTextEditor
              ref={editing.handles[field]}
              label={label}
              initial={editing.initial[field]}
              uploadImage={uploadImage}
              readMarkdown={readMarkdown}
              onChange={(doc) => editing.changeText(field, doc)}
              withQuestions={field !== 'corrige'}
              importFile={(file) => onTask({ what: 'import', file })}
              toolbarExtra={
                field === shown && <SaveBar state={state} opened={opened} faulty={Object.keys(faults).length > 0} onTask={onTask} />
              }
            />
            {field === 'corrige' && <p className="field__hint">{scaleHint}</p>}
          </div>
        ))}
      </div>
    </form>
  );
}
