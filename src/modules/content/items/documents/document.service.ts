import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { lockNames } from '../../../../platform/database/advisory-lock.ts';
import { AppError, notFound } from '../../../../platform/errors.ts';
import type { UploadedFile } from '../../../../platform/files/uploads.ts';
import type { UseCaseContext } from '../../../../platform/use-cases/events.ts';
import { transact } from '../../../../platform/use-cases/transaction.ts';
import type { ItemKind } from '../../../../shared/item-kinds.ts';
import { type Actor, recordChange } from '../../../identity/index.ts';
import { lockItem, subjectOf } from '../item-lock.ts';
import { ItemDocument } from './document.entity.ts';
import { type DocumentRow, documentsOf } from './document.repository.ts';
import { isPdf } from './pdf.ts';

const maxDocuments = 20;

/**
 * Attaches a PDF to an item.
 * @param nom the name to show; when it is undefined or empty, the name of the file is used
 * @throws AppError 400, 404, 409
 */
export async function attachDocument(
  em: EntityManager,
  context: UseCaseContext,
  actor: Actor,
  { kind, id, file, nom }: { kind: ItemKind; id: number; file: UploadedFile; nom: string | undefined },
): Promise<Pick<DocumentRow, 'id' | 'nom' | 'octets'>> {
  if (!isPdf(file.bytes)) throw refused("Ce fichier n'est pas un document PDF.");
  const name = `${createHash('sha256').update(file.bytes).digest('hex')}.pdf`;
  const called = documentName(nom) ?? documentName(file.name) ?? 'Document';
  try {
    return await transact(em, context, async (tx) => {
      const item = await lockItem(tx, kind, id);
      const others = await documentsOf(tx, id);
      if (others.length >= maxDocuments) throw refused(`${maxDocuments} documents au plus accompagnent un contenu.`);
      await lockNames(tx, [name]);
      if (!(await context.documents.has(name))) await context.documents.write(name, file.bytes);
      const document = tx.create(ItemDocument, {
        item: id,
        nom: called,
        file: name,
        octets: file.bytes.length,
        createdAt: context.clock.now(),
      });
      await tx.flush();
      await recordChange(tx, context, actor, {
        action: 'updated',
        ...subjectOf(item),
        before: { documents: listed(others) },
        after: { documents: listed([...others, document]) },
      });
      return { id: document.id, nom: called, octets: document.octets };
    });
  } catch (error) {
    await releaseDocuments(em, context, [name]);
    throw error;
  }
}

/** Removes a document from its item, and deletes the file when no other item uses it. @throws AppError 404 */
export function removeDocument(em: EntityManager, context: UseCaseContext, actor: Actor, id: number): Promise<void> {
  return transact(em, context, async (tx, afterCommit) => {
    const [found] = await tx.execute<{ item_id: number; kind: ItemKind }[]>(
      'select f.item_id, i.kind from item_document f join item i on i.id = f.item_id where f.id = ?',
      [id],
    );
    if (!found) throw documentNotFound();
    const item = await lockItem(tx, found.kind, found.item_id);
    const all = await documentsOf(tx, found.item_id);
    const gone = all.find((document) => document.id === id);
    if (!gone) throw documentNotFound();
    await tx.nativeDelete(ItemDocument, { id });
    await recordChange(tx, context, actor, {
      action: 'updated',
      ...subjectOf(item),
      before: { documents: listed(all) },
      after: { documents: listed(all.filter((document) => document !== gone)) },
    });
    afterCommit(() => releaseDocuments(em, context, [gone.file]));
  });
}

/**
 * Deletes the files that no item uses any more, in its own transaction. Files are named by their content, so several items may share
 * one.
 */
export async function releaseDocuments(
  em: EntityManager,
  { documents, log }: Pick<UseCaseContext, 'documents' | 'log'>,
  files: readonly string[],
): Promise<void> {
  if (files.length > 0) await transact(em, { log }, (tx) => removeUnnamedDocuments(tx, { documents }, files));
}

/** Deletes the files that no item uses any more, in the caller's transaction. @returns the number of deleted files */
export async function removeUnnamedDocuments(
  tx: EntityManager,
  { documents }: Pick<UseCaseContext, 'documents'>,
  files: readonly string[],
): Promise<number> {
  await lockNames(tx, files);
  const unnamed = await unnamedDocuments(tx, files);
  await documents.remove(unnamed);
  return unnamed.length;
}

/** Returns the given files that no item uses. */
export async function unnamedDocuments(em: EntityManager, files: readonly string[]): Promise<string[]> {
  const rows = await em.execute<{ file: string }[]>('select distinct file from item_document where file = any(?::text[])', [
    `{${files.join(',')}}`,
  ]);
  const named = new Set(rows.map(({ file }) => file));
  return files.filter((file) => !named.has(file));
}

export const documentNotFound = (): AppError => notFound("Ce document n'existe pas ou n'existe plus.");

/** The form was sent without a file. */
export const noFile = (): AppError => refused('Choisissez un fichier.');

const refused = (message: string): AppError => new AppError('DOCUMENT.REFUSED', 400, message, { errors: [{ field: 'fichier', message }] });

const listed = (documents: readonly { nom: string }[]): string => documents.map(({ nom }) => nom).join(', ');

/** Longest name of a document, in characters. */
const maxNameLength = 150;

/** Returns the given name in a form that every operating system can store and show, without `.pdf`; null when no character remains. */
function documentName(given: string | undefined): string | null {
  const name = (given ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/\.pdf$/i, '')
    .replaceAll(/[\p{C}<>:"|?*\ufffd\u2028\u2029]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[ .]+/, '');
  return (
    name
      .slice(0, maxNameLength)
      .toWellFormed()
      .replaceAll('\ufffd', '')
      .replace(/[ .]+$/, '') || null
  );
}
