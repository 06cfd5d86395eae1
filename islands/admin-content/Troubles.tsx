import { SignInAgain } from '../admin-shared/SignInAgain.tsx';
import { Alert } from '../ui/Alert.tsx';
import { Icon } from '../ui/Icon.tsx';
import { keptWhere, type Trouble } from './edit-state.ts';
import type { Item, Kind } from './records.ts';
import { StoredText } from './StoredText.tsx';
import { changedBy, texts } from './texts.ts';

interface TroublesProps {
  kind: Kind;
  trouble: Trouble;
  busy: boolean;
  /** The browser keeps no drafts. */
  unkept: boolean;
  onRetry: () => void;
  /** What is typed is saved over what somebody else has saved, whose version is named. */
  onSaveMine: (version: number) => void;
  onTakeTheirs: (item: Item) => void;
  /** The item is gone: its text becomes a new one. */
  onRevive: () => void;
}

/** What keeps the text from being saved: what happened, what was kept, what to do. */
export function Troubles({ kind, trouble, busy, unkept, onRetry, onSaveMine, onTakeTheirs, onRevive }: TroublesProps) {
  switch (trouble.what) {
    case 'failed':
    case 'offline':
      return (
        <div className="authoring__trouble">
          <Alert notice={trouble.notice} />
          {trouble.what === 'failed' && trouble.signedOut && <SignInAgain>Revenez ensuite ici et enregistrez de nouveau.</SignInAgain>}
          <p className="actions">
            <button className="button button--secondary" type="button" aria-busy={busy} onClick={onRetry}>
              Réessayer
            </button>
          </p>
        </div>
      );
    case 'gone':
      return (
        <div className="alert alert--warning">
          <Icon name="warning" />
          <div>
            <p className="alert__title">{texts[kind].gone}</p>
            <p>{`Votre texte est toujours ici, gardé ${keptWhere(unkept)}.`}</p>
            <p className="actions">
              <button className="button button--secondary" type="button" aria-busy={busy} onClick={onRevive}>
                Créer de nouveau avec ce texte
              </button>
            </p>
          </div>
        </div>
      );
    case 'outdated':
      return (
        <div className="alert alert--warning authoring__conflict">
          <Icon name="warning" />
          <div>
            <p className="alert__title">{changedBy(kind, trouble.changedBy)}</p>
            <p>Rien n'a été écrasé. Voici le texte enregistré entre-temps ; le vôtre est dessous, tel que vous l'avez écrit.</p>
            <StoredText kind={kind} item={trouble.current} />
            <p className="actions">
              <button
                className="button button--secondary"
                type="button"
                aria-busy={busy}
                onClick={() => onSaveMine(trouble.current.version)}
              >
                Enregistrer mon texte
              </button>
              <button className="button button--secondary" type="button" onClick={() => onTakeTheirs(trouble.current)}>
                Prendre le texte enregistré
              </button>
            </p>
            <p className="field__hint">
              {`Ni l'un ni l'autre ne se perd : les versions gardent le texte enregistré, et le vôtre est gardé ${keptWhere(unkept)}.`}
            </p>
          </div>
        </div>
      );
  }
}
