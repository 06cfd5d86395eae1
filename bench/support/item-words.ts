import pg from 'pg';
import { vectorOf } from '../../src/shared/search/index-terms.ts';

/** Rows held in memory at once. */
const batch = 500;

interface Text {
  id: number;
  discipline_id: number;
  titre: string;
  texte: string;
  texte_corrige: string | null;
}

/** Writes the search words of items that were inserted by plain SQL. */
export async function writeItemWords(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let last = 0; ; ) {
      const { rows } = await client.query<Text>(
        `select i.id, discipline_id, titre, texte, texte_corrige from item i left join item_words w on w.item_id = i.id
         where w.words is null and i.id > $1 order by i.id limit ${batch}`,
        [last],
      );
      if (rows.length === 0) return;
      last = rows.at(-1)?.id ?? last;
      const words = rows.map(({ id, discipline_id, titre, texte, texte_corrige }) => ({
        id,
        words: `${vectorOf([
          { text: titre, weight: 'A' },
          { text: texte, weight: 'B' },
          { text: texte_corrige ?? '', weight: 'C' },
        ])} '\u0001${discipline_id}'`,
      }));
      await client.query(
        `insert into item_words (item_id, words) select id, words::tsvector from jsonb_to_recordset($1) as r(id int, words text)
         on conflict (item_id) do update set words = excluded.words`,
        [JSON.stringify(words)],
      );
    }
  } finally {
    await client.end();
  }
}
