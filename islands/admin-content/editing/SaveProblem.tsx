import { useState } from 'react';
import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { Lazy } from '../../admin-shared/Lazy.tsx';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { Alert } from '../../ui/Alert.tsx';
import { documentsOf } from '../items/documents.ts';
import { changedBy, texts } from '../items/texts.ts';
import { keptWhere, type Problem } from './edit-state.ts';
import type { Editing } from './use-editing.ts';

interface SaveProblemProps {
  kind: ItemKind;
  problem: Problem;
  editing: Editing;
  onRetry: () => void;
  /** Saves the typed text over the given version, which somebody else saved. */
  onSaveMine: (version: number) => void;
  onRevive: () => void;
}

const notOverwritten = "Rien n'a été écrasé. Votre texte est dessous, tel que vous l'avez écrit ; choisissez lequel des deux reste.";

const loadConflict = () => import('../conflict/ConflictDialog.tsx');

/** Shows why the text could not be saved, where it is kept, and the next step. */
export function SaveProblem({ kind, problem, editing, onRetry, onSaveMine, onRevive }: SaveProblemProps) {
  /** Whether the comparison is open. It opens each time a save is refused. */
  const [comparing, setComparing] = useState(true);
  const { sending: busy, unkept } = editing.state;
  switch (problem.what) {
    case 'failed':
    case 'offline':
      return (
        <div className="authoring__trouble">
          <Alert notice={problem.notice} />
          {problem.what === 'failed' && problem.signedOut && <SignInAgain>Revenez ensuite ici et enregistrez de nouveau.</SignInAgain>}
          <p className="actions">
            <button className="button button--secondary" type="button" aria-busy={busy} onClick={onRetry}>
              Réessayer
            </button>
          </p>
        </div>
      );
    case 'gone':
      return (
        <Alert notice={{ kind: 'warning', message: texts[kind].gone, detail: `Votre texte est toujours ici, gardé ${keptWhere(unkept)}.` }}>
          <p className="actions">
            <button className="button button--secondary" type="button" aria-busy={busy} onClick={onRevive}>
              Créer de nouveau avec ce texte
            </button>
          </p>
        </Alert>
      );
    case 'outdated':
      return (
        <Alert notice={{ kind: 'warning', message: changedBy(kind, problem.changedBy), detail: notOverwritten }}>
          <p className="actions">
            <button className="button button--secondary" type="button" onClick={() => setComparing(true)}>
              Voir les différences
            </button>
          </p>
          {comparing && (
            <Lazy
              load={loadConflict}
              onFailed={() => setComparing(false)}
              props={{
                kind,
                title: changedBy(kind, problem.changedBy),
                theirs: problem.current,
                stored: documentsOf(problem.current),
                mine: { ...editing.state, documents: editing.documents() },
                kept: keptWhere(editing.state.unkept),
                onSaveMine: () => onSaveMine(problem.current.version),
                onTakeTheirs: () => editing.take(problem.current),
                onClose: () => setComparing(false),
              }}
            />
          )}
        </Alert>
      );
  }
}
