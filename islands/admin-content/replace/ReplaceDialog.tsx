import { type FormEvent, useEffect, useRef, useState } from 'react';
import { maxQueryLength } from '../../../src/shared/rich-text/find/query.ts';
import { isSignedOut, noticeOf } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { useModal } from '../../admin-shared/use-modal.ts';
import type { Answer } from '../../runtime/post.ts';
import { Alert, type Notice } from '../../ui/Alert.tsx';
import { BusyButton } from '../../ui/BusyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { toast } from '../../ui/toast.ts';
import type { Screen } from '../use-screen.ts';
import { FoundList, nameOf } from './FoundList.tsx';
import { type Found, isSame, type Outcome, type Query, replaceAll, searchAll } from './replace-calls.ts';

interface ReplaceDialogProps {
  disciplineId: number;
  screen: Screen;
  onClose: () => void;
}

const options = {
  accents: 'Respecter les accents',
  casse: 'Respecter les majuscules',
  mots_entiers: 'Mots entiers',
  formules: 'Aussi dans les formules (LaTeX)',
} satisfies Partial<Record<keyof Query, string>>;

/** Finds a text in all contents of a discipline, and replaces it in those that are ticked, each by a save of its own. */
export default function ReplaceDialog({ disciplineId, screen, onClose }: ReplaceDialogProps) {
  const dialog = useModal('#replace-text');
  const [query, setQuery] = useState<Query>({ texte: '', accents: false, casse: false, mots_entiers: false, formules: false });
  const [replacement, setReplacement] = useState('');
  const [found, setFound] = useState<readonly Found[] | null>(null);
  const [left, setLeft] = useState<readonly Found[]>([]);
  const [refused, setRefused] = useState<readonly Outcome[]>([]);
  const [busy, setBusy] = useState<string | null>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [signedOut, setSignedOut] = useState(false);
  /** Whether the question is shown that a replacement by nothing asks first. */
  const [asking, setAsking] = useState(false);
  const open = useRef(true);

  useEffect(
    () => () => {
      open.current = false;
    },
    [],
  );

  const total = Object.values(screen.state.lists).reduce((sum, { items }) => sum + items.length, screen.state.drafts.length);
  const faultOf = ({ id, type }: Found) =>
    screen.drafted.has(type, id) ? "Texte non enregistré sur cet appareil : enregistrez-le d'abord." : null;

  function change(changed: Partial<Query>): void {
    setQuery({ ...query, ...changed });
    setFound(null);
    setAsking(false);
    setNotice(null);
  }

  function fail(answer: Answer | null, failure: string, kept: string): void {
    setSignedOut(isSignedOut(answer));
    const said = noticeOf(answer, failure, kept);
    setNotice({ ...said, ...(answer?.body.errors?.[0] && { detail: answer.body.errors[0].message }) });
  }

  async function search(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy !== null) return;
    setNotice(null);
    setRefused([]);
    if (query.texte === '') return setNotice({ kind: 'error', message: 'Écrivez le texte à chercher.' });
    setBusy('Recherche...');
    const result = await searchAll(disciplineId, query, (read) => {
      setBusy(`Recherche : ${read} sur ${Math.max(read, total)}`);
      return open.current;
    });
    setBusy(null);
    if ('failed' in result) return fail(result.failed, 'La recherche a échoué', "Rien n'a changé.");
    setFound(result.found);
    setLeft(result.found.filter((one) => faultOf(one) === null));
  }

  async function replace(): Promise<void> {
    if (busy !== null || left.length === 0) return;
    setNotice(null);
    if (replacement === '' && !asking) return setAsking(true);
    setAsking(false);
    const [asked, done, faults]: [number, Outcome[], Outcome[]] = [left.length, [], []];
    setBusy('Remplacement...');
    const failed = await replaceAll(query, replacement, left, (outcomes) => {
      done.push(...outcomes);
      faults.push(...outcomes.filter(({ message }) => message !== undefined));
      setLeft((before) => before.filter((one) => !outcomes.some((other) => isSame(one, other))));
      setFound((before) => before?.filter((one) => !outcomes.some((other) => !other.message && isSame(one, other))) ?? null);
      setBusy(`Remplacement : ${done.length} sur ${asked}`);
    });
    setBusy(null);
    const changed = done.filter(({ remplaces }) => remplaces > 0);
    if (changed.length > 0) {
      const count = changed.reduce((sum, { remplaces }) => sum + remplaces, 0);
      toast('success', `${count} ${count === 1 ? 'remplacement' : 'remplacements'} dans ${contents(changed.length)}`);
      screen.refresh(changed.map(({ id }) => id));
    }
    setRefused((before) => [...before, ...faults]);
    if (failed !== undefined) return fail(failed, 'Le remplacement est interrompu', 'Les contenus encore cochés restent à remplacer.');
    if (faults.length === 0) dialog.current?.close();
  }

  return (
    <Dialog
      ref={dialog}
      id="replace-title"
      title="Rechercher et remplacer"
      className="dialog--wide"
      dismissible={busy === null}
      onClose={onClose}
    >
      <form className="form authoring__replace" noValidate onSubmit={search}>
        <div aria-live="assertive">
          {notice && <Alert notice={notice} />}
          {signedOut && <SignInAgain>Revenez ensuite ici et recommencez.</SignInAgain>}
        </div>
        <Field
          id="replace-text"
          label="Texte à chercher"
          input={{
            value: query.texte,
            maxLength: maxQueryLength,
            disabled: busy !== null,
            onChange: ({ target }) => change({ texte: target.value }),
          }}
        />
        <Field
          id="replace-by"
          label="Remplacer par"
          hint="Vide : le texte est supprimé."
          input={{
            value: replacement,
            maxLength: maxQueryLength,
            required: false,
            disabled: busy !== null,
            onChange: ({ target }) => {
              setReplacement(target.value);
              setAsking(false);
            },
          }}
        />
        <div>
          {(Object.keys(options) as (keyof typeof options)[]).map((name) => (
            <label className="choice" key={name}>
              <input
                type="checkbox"
                checked={query[name]}
                disabled={busy !== null}
                onChange={({ target }) => change({ [name]: target.checked })}
              />
              <span>{options[name]}</span>
            </label>
          ))}
        </div>
        <p className="field__hint">
          Dans les textes, les corrigés et les brouillons de toute la discipline. Titres, bonnes réponses, remarques et explications ne
          changent pas.
        </p>
        <p role="status">
          {busy ?? (found && (found.length === 0 ? 'Rien trouvé.' : `${passages(found)} dans ${contents(found.length)}`))}
        </p>
        {refused.length > 0 && (
          <Alert
            notice={{
              kind: 'warning',
              message: refused.length === 1 ? "Un contenu n'a pas changé" : `${refused.length} contenus n'ont pas changé`,
              detail: refused.map((one) => `${titleOf(one, found ?? [])} : ${one.message}`).join(' '),
            }}
          />
        )}
        {found && found.length > 0 && (
          <FoundList
            found={found}
            isTicked={(one) => left.some((other) => isSame(one, other))}
            faultOf={faultOf}
            onTick={(ones, on) => {
              setLeft(found.filter((one) => (ones.some((other) => isSame(one, other)) ? on : left.some((other) => isSame(one, other)))));
              setAsking(false);
            }}
          />
        )}
        {asking && <p role="alert">{`Supprimer ${passages(left)} dans ${contents(left.length)} ?`}</p>}
        <div className="dialog__actions">
          {asking ? (
            // biome-ignore lint/a11y/noAutofocus: the button that asked is gone, and Enter pressed twice must not delete
            <button key="keep" className="button button--quiet" type="button" autoFocus onClick={() => setAsking(false)}>
              Ne rien supprimer
            </button>
          ) : (
            <button key="close" className="button button--quiet" type="button" data-closes>
              Fermer
            </button>
          )}
          {found && found.length > 0 ? (
            <BusyButton
              key={asking ? 'delete' : 'replace'}
              className={asking ? 'button button--danger' : 'button'}
              type="button"
              label={asking ? `Supprimer ${passages(left)}` : `${replacement === '' ? 'Supprimer' : 'Remplacer'} (${left.length})`}
              busyLabel={busy ?? ''}
              busy={busy !== null}
              disabled={left.length === 0}
              onClick={replace}
            />
          ) : (
            <BusyButton type="submit" label="Chercher" busyLabel="Recherche..." busy={busy !== null} />
          )}
        </div>
      </form>
    </Dialog>
  );
}

const contents = (count: number): string => (count === 1 ? '1 contenu' : `${count} contenus`);

function passages(found: readonly Found[]): string {
  const count = found.reduce((sum, { trouves }) => sum + trouves, 0);
  return count === 1 ? '1 passage' : `${count} passages`;
}

const titleOf = (outcome: Outcome, found: readonly Found[]): string => {
  const one = found.find((other) => isSame(outcome, other));
  return one ? nameOf(one) : '';
};
