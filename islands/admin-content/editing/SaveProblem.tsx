import type { ItemKind } from '../../../src/shared/item-kinds.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { Alert } from '../../ui/Alert.tsx';
import type { Item } from '../items/records.ts';
import { StoredText } from '../items/StoredText.tsx';
import { changedBy, texts } from '../items/texts.ts';
import { keptWhere, type Problem } from './edit-state.ts';

interface SaveProblemProps {
  kind: ItemKind;
  problem: Problem;
  busy: boolean;
  unkept: boolean;
  onRetry: () => void;
  /** What is typed is saved over what somebody else has saved, whose version is named. */
  onSaveMine: (version: number) => void;
  onTakeTheirs: (item: Item) => void;
  onRevive: () => void;
}

const notOverwritten = "Rien n'a été écrasé. Voici le texte enregistré entre-temps ; le vôtre est dessous, tel que vous l'avez écrit.";

/** What keeps the text from being saved: what happened, what was kept, what to do. */
export function SaveProblem({ kind, problem, busy, unkept, onRetry, onSaveMine, onTakeTheirs, onRevive }: SaveProblemProps) {
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
        <Alert
          className="authoring__conflict"
          notice={{ kind: 'warning', message: changedBy(kind, problem.changedBy), detail: notOverwritten }}
        >
          <StoredText kind={kind} item={problem.current} />
          <p className="actions">
            <button className="button button--secondary" type="button" aria-busy={busy} onClick={() => onSaveMine(problem.current.version)}>
              Enregistrer mon texte
            </button>
            <button className="button button--secondary" type="button" onClick={() => onTakeTheirs(problem.current)}>
              Prendre le texte enregistré
            </button>
          </p>
          <p className="field__hint">
            {`Ni l'un ni l'autre ne se perd : les versions gardent le texte enregistré, et le vôtre est gardé ${keptWhere(unkept)}.`}
          </p>
        </Alert>
      );
  }
}
