import type { Manifest } from '../../src/platform/backup/manifest.ts';
import { formatInstant } from '../../src/shared/dates.ts';
import { formatXaf } from '../../src/shared/money.ts';
import type { Drill } from './drill.ts';

interface Written {
  /** Null if the backup was written to or read from a stream. */
  file: string | null;
  bytes: number | null;
  /** Older backups that were deleted. */
  removed: readonly string[];
}

const number = (value: number): string => value.toLocaleString('fr-FR').replaceAll(/\s/g, ' ');
const seconds = (value: number): string => `${number(value)} s`;

/** Describes the contents of a backup, from its manifest. */
export function describeBackup({ snapshot, tables, parts, totals, media, absent }: Manifest, { file, bytes, removed }: Written): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const files = parts.filter(({ name }) => !name.startsWith('tables')).length;
  return [
    ...(file && bytes !== null ? [`Sauvegarde : ${file} (${number(Math.ceil(bytes / 1024))} Ko)`] : []),
    `État du ${formatInstant(new Date(snapshot))} : ${tables.length} tables, ${number(rows)} lignes, ${media ? `${number(files)} fichiers` : 'sans les images ni les documents'}.`,
    ...describeTotals(totals),
    ...(absent.length > 0
      ? [
          `${absent.length} fichier(s) nommés par la base n'étaient pas là : ${absent.slice(0, 5).join(', ')}${absent.length > 5 ? ', …' : ''}`,
        ]
      : []),
    ...(removed.length > 0 ? [`${removed.length} ancienne(s) sauvegarde(s) effacée(s).`] : []),
  ].join('\n');
}

const describeTotals = (totals: Manifest['totals']): string[] =>
  totals.map(
    ({ status, count, amount, refunded_amount }) =>
      `  paiements ${status} : ${number(Number(count))}, ${formatXaf(Number(amount))}, dont ${formatXaf(Number(refunded_amount))} rendus`,
  );

export const describeDrill = ({ tables, rows, files, totals, pages, rpoSeconds, rtoSeconds }: Drill): string =>
  [
    `Restaurée à part et comparée : ${tables} tables, ${number(rows)} lignes, ${number(files)} fichiers, toutes les sommes égales.`,
    ...describeTotals(totals),
    `Le serveur y a répondu : ${pages.join(', ')}`,
    `RPO ${seconds(rpoSeconds)} : ce qui a été écrit depuis serait perdu. RTO ${seconds(rtoSeconds)} : de la sauvegarde à un site qui répond.`,
  ].join('\n');
