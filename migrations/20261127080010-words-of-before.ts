import { OnlineMigration } from '../src/platform/database/online-migration.ts';
import { vectorOf } from '../src/shared/search/index-terms.ts';

/** Number of items whose texts are read at once. */
const batch = 20;

interface Text {
  id: number;
  discipline_id: number;
  titre: string;
  texte: string;
  texte_corrige: string | null;
  revision: string;
}

/** Writes the words of existing items, a batch at a time. An item saved meanwhile is left to a server. */
export class WordsOfBefore extends OnlineMigration {
  override name = '20261127080010-words-of-before';

  override async up(): Promise<void> {
    await this.execute('insert into item_words (item_id) select id from item on conflict (item_id) do nothing');
    for (let last = 0; ; ) {
      const texts = (await this.execute(
        `select i.id, i.discipline_id, i.titre, i.texte, i.texte_corrige, w.xmin::text as revision
         from item_words w join item i on i.id = w.item_id where w.words is null and w.item_id > ${last} order by w.item_id limit ${batch}`,
      )) as unknown as Text[];
      if (texts.length === 0) break;
      last = texts.at(-1)?.id ?? last;
      const words = texts.map(({ id, discipline_id, titre, texte, texte_corrige, revision }) => ({
        id,
        words: `${vectorOf([
          { text: titre, weight: 'A' },
          { text: texte, weight: 'B' },
          { text: texte_corrige ?? '', weight: 'C' },
        ])} '\u0001${discipline_id}'`,
        revision,
      }));
      await this.execute(
        `update item_words w set words = r.words::tsvector
         from jsonb_to_recordset('${JSON.stringify(words).replaceAll("'", "''")}'::jsonb) as r(id int, words text, revision text)
         where w.item_id = r.id and w.xmin::text = r.revision`,
      );
    }
    await this.createIndex('item_words_index', 'item_words using gin (words)');
  }

  override async down(): Promise<void> {
    await this.dropIndex('item_words_index');
    await this.execute('update item_words set words = null');
  }
}
