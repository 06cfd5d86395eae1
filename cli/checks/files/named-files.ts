import { backupSubject } from '../../../src/backup.ts';
import { openFileStores } from '../../../src/platform/files/open-stores.ts';
import { type Check, fault, good } from '../check.ts';

/** Files checked per folder: enough to recognise a wrong folder. `prepa restore --verify` checks every file. */
const lookedAt = 50;

/** Checks that files named in the database exist. Files are missing if DATA_DIR is wrong or only the database was restored. */
export const namedFiles: Check = {
  name: 'Images et documents',
  async look({ kernel: { orm, config, context } }) {
    const stores = { media: context.files, documents: context.documents };
    let asked = 0;
    const missing: string[] = [];
    for (const { folder, query, filesOf } of backupSubject().storedFiles) {
      const rows = await orm.em.getConnection().execute<{ name: string }[]>(`select name from (${query}) as named limit ${lookedAt}`);
      for (const file of rows.flatMap(({ name }) => filesOf(name))) {
        asked += 1;
        if (!(await stores[folder].has(file))) missing.push(`${folder}/${file}`);
      }
    }
    if (missing.length === 0) return good(asked === 0 ? 'aucun encore' : `les ${asked} regardés sont là`);
    return fault(
      `${missing.length} des ${asked} regardés manquent dans ${openFileStores(config).place} (${missing[0]})`,
      "vérifiez DATA_DIR (ou S3_BUCKET et S3_PREFIX), ou restaurez les fichiers d'une sauvegarde faite avec « prepa backup --media »",
    );
  },
};
