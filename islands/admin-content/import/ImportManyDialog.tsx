import { type ChangeEvent, type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { maxUnreducedBytes } from '../../../src/shared/forms/item-rules.ts';
import { type ItemKind, kindDetails } from '../../../src/shared/item-kinds.ts';
import { writeRule } from '../../../src/shared/questions/marking-rule.ts';
import { isSignedOut } from '../../admin-shared/refusal.ts';
import { SignInAgain } from '../../admin-shared/SignInAgain.tsx';
import { useModal } from '../../admin-shared/use-modal.ts';
import type { Answer } from '../../runtime/post.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import type { FoundExercise, ImportedDocument } from '../items/calls.ts';
import { createDraft, keepOnServer } from '../items/draft-calls.ts';
import { bodyOf } from '../items/item-body.ts';
import type { DraftSummary } from '../items/records.ts';
import { gatherPages } from './gather-pages.ts';
import { type Again, ImportRowItem } from './ImportRowItem.tsx';
import { importable, importFault } from './import-fault.ts';
import { importFile } from './import-file.ts';
import { type ImportRow, nextOf, partOf, yearOf } from './import-row.ts';
import { joinTexFiles } from './join-tex-files.ts';
import { findLostDraft } from './lost-draft.ts';
import { readZip } from './read-zip.ts';

const unzip = async (archive: File) =>
  archive.size > maxUnreducedBytes
    ? [{ file: archive, fault: 'Cette archive dépasse 200 Mo. Partagez-la en plusieurs archives, puis réessayez.' }]
    : readZip(archive);

const isZip = ({ name }: File): boolean => /\.zip$/i.test(name);

interface ImportManyDialogProps {
  kind: ItemKind;
  disciplineId: number;
  /** Files that were dropped onto the list. */
  dropped: readonly File[];
  /** Drafts of the discipline: a file that one of them comes from is imported again only when asked. */
  drafts: readonly DraftSummary[];
  onDrafted: () => void;
  /** Offers to publish the drafts that were made here. */
  onPublish: (ids: readonly number[]) => void;
  onClose: () => void;
}

const inOrder = new Intl.Collator('fr', { numeric: true });

/** Turns several files into drafts, one after the other. A file that fails stops no other. */
export default function ImportManyDialog({ kind, disciplineId, dropped, drafts, onDrafted, onPublish, onClose }: ImportManyDialogProps) {
  const dialog = useModal();
  const [rows, setRows] = useState<readonly ImportRow[]>([]);
  const [signedOut, setSignedOut] = useState(false);
  /** Whether chosen archives and folders are being unpacked. */
  const [opening, setOpening] = useState(false);
  const running = useRef(false);
  const queue = useRef<ImportRow[]>([]);
  const known = useRef(drafts);
  const { list } = kindDetails[kind];

  const show = () => setRows([...queue.current]);
  function change(row: ImportRow, state: ImportRow['state'], said = '', remarks: readonly string[] = []): void {
    Object.assign(row, { state, said, remarks });
    show();
  }

  async function add(files: readonly File[]): Promise<void> {
    const enqueue = (file: File, fault: string | null) =>
      queue.current.push({ file, state: fault ? 'failed' : 'waiting', said: fault ?? '', remarks: [], isLost: fault !== null });
    setOpening(true);
    const loose = files.filter((file) => !isZip(file)).map((file) => ({ path: file.name, file }));
    for (const { file } of await gatherPages(await joinTexFiles(loose), enqueue)) enqueue(file, null);
    for (const archive of files.filter(isZip)) {
      const inside = (await unzip(archive)) ?? [{ file: archive, fault: "Cette archive n'a pas pu être lue." }];
      for (const { file, fault } of inside) enqueue(file, fault);
    }
    setOpening(false);
    queue.current.sort((one, other) => inOrder.compare(one.file.name, other.file.name));
    show();
    await run();
  }

  /** Returns the draft that was imported from a file of this name. */
  const sameAs = ({ file }: ImportRow) =>
    known.current.find(
      ({ type, source, publie }) => type === kind && !publie && (source === file.name || source?.startsWith(partOf(file.name))),
    );

  async function run(): Promise<void> {
    if (running.current) return;
    running.current = true;
    for (let row = nextOf(queue.current); row; row = nextOf(queue.current)) {
      const fault = importFault(row.file);
      if (fault) change(row, 'failed', fault);
      else if (sameAs(row)) change(row, 'same', 'Déjà importé : le brouillon existe.');
      else await take(row);
    }
    running.current = false;
    onDrafted();
  }

  async function take(row: ImportRow): Promise<void> {
    // After a lost response, the file itself need not be sent again.
    if (row.read && row.isUnanswered) return row.read.exercices.length > 1 ? change(row, 'split') : keepWhole(row, row.read);
    change(row, 'reading', 'Lecture...');
    const { hasCorrection = false } = kindDetails[kind];
    const read = await importFile(row.file, { kind, hasTitle: true, hasCorrection, hasQuestions: true }, (progress) => {
      if (progress === 'reducing') change(row, 'reading', 'Réduction des images...');
      else if (progress === 0) change(row, 'reading', 'Lecture...');
    });
    if (!read?.ok || !read.body.document) return refuse(row, read, "Ce fichier n'a pas pu être lu.");
    row.read = read.body as ImportedDocument;
    if (row.read.exercices.length > 1) return change(row, 'split');
    await keepWhole(row, row.read);
  }

  async function keepWhole(row: ImportRow, read: ImportedDocument): Promise<void> {
    change(row, 'reading', 'Enregistrement...');
    const kept = await keep(row, read, row.file.name);
    if (!kept) return;
    row.made = [kept.id];
    change(row, 'created', kept.titre || 'Sans titre', kept.remarks);
  }

  /** Makes a draft of each chosen exercise. After a failure, the next try replaces the drafts that were made. */
  async function keepParts(row: ImportRow, read: ImportedDocument, chosen: readonly FoundExercise[]): Promise<void> {
    const remarks: string[] = [];
    const made: number[] = [];
    for (const [index, exercise] of read.exercices.entries()) {
      if (!chosen.includes(exercise)) continue;
      change(row, 'reading', `${exercise.titre}...`);
      const blocks = [read.document, read.corrige].flatMap((text) => (text?.content as unknown[] | undefined) ?? []);
      const textWith = (ranks: readonly number[]) => ({ type: 'doc', content: ranks.map((rank) => blocks[rank]) });
      const corrige = exercise.corrige.length > 0 ? textWith(exercise.corrige) : null;
      const own = {
        titre: exercise.titre,
        intitule: exercise.intitule,
        document: textWith(exercise.enonce),
        corrige,
        remarques: exercise === chosen[0] ? read.remarques : [],
      };
      const kept = await keep(row, { ...read, ...own }, `${partOf(row.file.name)}${index + 1}`);
      if (!kept) return;
      row.replaces = true;
      remarks.push(...kept.remarks);
      made.push(kept.id);
    }
    row.made = made;
    change(row, 'created', chosen.map(({ titre }) => titre).join(', '), remarks);
  }

  /** Keeps a draft. Returns null after a failure, which the row shows. @param source names the file, and its part */
  async function keep(
    row: ImportRow,
    read: ImportedDocument,
    source: string,
  ): Promise<{ id: number; titre: string; remarks: string[] } | null> {
    const { titre, intitule, document, corrige, bareme, remarques } = read;
    if (row.isUnanswered) {
      const { drafts, lost, answer } = await findLostDraft(disciplineId, { kind, source, known: known.current });
      if (!drafts) {
        refuse(row, answer, "Le brouillon n'a pas pu être gardé.");
        return null;
      }
      row.isUnanswered = false;
      known.current = drafts;
      if (lost?.revision === 1) return { id: lost.id, titre: lost.intitule || lost.titre, remarks: lost.remarques };
      if (lost) {
        change(row, 'same', 'Déjà importé, et le brouillon a été modifié depuis.');
        return null;
      }
    }
    const replaced = row.replaces && known.current.find((one) => one.type === kind && !one.publie && one.source === source);
    const fields = {
      titre: titre ?? '',
      intitule: intitule ?? '',
      annee: yearOf(row.file.name),
      duree: '',
      bareme: bareme ? writeRule(bareme) : '',
    };
    const body = bodyOf(kind, fields, { contenu: document, corrige });
    const kept = replaced
      ? await keepOnServer(replaced.id, { ...body, remarques }, { revision: replaced.revision })
      : await createDraft(kind, { ...body, discipline_id: disciplineId }, { source, remarques });
    if (!kept?.ok || !kept.body.brouillon) {
      // The response of a proxy may also hide that the draft was kept.
      row.isUnanswered = kept === null || kept.status >= 500;
      refuse(row, kept, "Le brouillon n'a pas pu être gardé.");
      return null;
    }
    const { brouillon, remarques: further = [] } = kept.body;
    known.current = [...known.current.filter(({ id }) => id !== brouillon.id), brouillon];
    return { id: brouillon.id, titre: brouillon.intitule || brouillon.titre, remarks: [...remarques, ...further] };
  }

  function refuse(row: ImportRow, answer: Answer | null, failure: string): void {
    if (isSignedOut(answer)) setSignedOut(true);
    const message = answer ? (answer.body.errors?.[0]?.message ?? answer.body.message) : 'Le serveur ne répond pas.';
    change(row, 'failed', message ?? failure);
  }

  async function again(row: ImportRow, what: Again): Promise<void> {
    if (what === 'skip') return change(row, 'skipped', 'Laissé de côté.');
    setSignedOut(false);
    row.replaces = what === 'replace' || (what === 'retry' && row.replaces === true);
    await take(row);
    onDrafted();
  }

  const start = useEffectEvent(() => {
    if (dropped.length > 0) add(dropped);
  });
  useEffect(() => start(), []);

  const made = rows.flatMap((row) => (row.state === 'created' ? (row.made ?? []) : []));
  const [done, failed, asked, left] = [
    made.length,
    rows.filter(({ state }) => state === 'failed').length,
    rows.filter(({ state }) => state === 'split' || state === 'same').length,
    rows.filter(({ state }) => state === 'waiting' || state === 'reading').length,
  ];
  const summary = [
    `${done} ${done > 1 ? 'brouillons créés' : 'brouillon créé'}`,
    ...(failed > 0 ? [`${failed} ${failed === 1 ? 'fichier refusé' : 'fichiers refusés'}`] : []),
    ...(asked > 0 ? [`${asked} ${asked === 1 ? 'fichier attend' : 'fichiers attendent'} votre choix`] : []),
    ...(left > 0 ? [`encore ${left}`] : []),
  ].join(', ');

  return (
    <Dialog ref={dialog} id="import-many-title" title={`Importer plusieurs fichiers : ${list}`} className="dialog--wide" onClose={onClose}>
      <div className="form">
        {signedOut && <SignInAgain>Revenez ensuite ici : les fichiers refusés se réessaient.</SignInAgain>}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the file field inside is the way for a keyboard */}
        <div
          className="authoring__drop"
          onDragOver={(event: DragEvent) => event.preventDefault()}
          onDrop={(event: DragEvent) => {
            event.preventDefault();
            add([...event.dataTransfer.files]);
          }}
        >
          <label htmlFor="import-many">Déposez vos fichiers ici, ou choisissez-les</label>
          <p className="field__hint">
            Word (.docx), LibreOffice (.odt), page web (.html), Markdown, TeX (.tex, avec ses images), questions (.xml, .gift, .txt), ou une
            archive .zip. Chacun devient un brouillon. 10 Mo par fichier ; les photos d'un document ou d'une page plus lourds sont réduites
            avant l'envoi.
          </p>
          <input
            className="input"
            id="import-many"
            type="file"
            multiple
            accept={`${importable},.zip`}
            onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
              add([...(target.files ?? [])]);
              target.value = '';
            }}
          />
        </div>
        {opening && <p role="status">Ouverture des fichiers et réduction des images...</p>}
        {rows.length > 0 && <p role="status">{summary}</p>}
        <ul className="plain authoring__imports">
          {rows.map((row, index) => (
            <ImportRowItem
              // biome-ignore lint/suspicious/noArrayIndexKey: one file may be chosen twice
              key={`${row.file.name} ${index}`}
              row={row}
              onSplit={(read, chosen) => keepParts(row, read, chosen).then(onDrafted)}
              onWhole={(read) => keepWhole(row, read).then(onDrafted)}
              onAgain={(what) => again(row, what)}
            />
          ))}
        </ul>
        <div className="dialog__actions">
          {left === 0 && done > 0 && (
            <button className="button button--secondary" type="button" onClick={() => onPublish(made)}>
              Publier les brouillons
            </button>
          )}
          <button className="button" type="button" data-closes>
            {left > 0 ? 'Continuer sans attendre' : 'Fermer'}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
