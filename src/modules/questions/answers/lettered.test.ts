import t from 'tap';
import { createTestApp } from '../../../../test/support/app.ts';
import { sql } from '../../../../test/support/sql.ts';
import { isLettered } from '../../../shared/questions/lettered.ts';
import { letteredSql } from './answer.repository.ts';

const { databaseUrl } = await createTestApp(t);

t.test('the site and a device agree on which questions name a choice by its letter', async (t) => {
  for (const [text, expected] of [
    ['<p>La réponse b est fausse.</p>', true],
    ['<p>Le choix <strong>C</strong>.</p>', true],
    ['<p>Les propositions (a) et (d).</p>', true],
    ['<p>« Réponse D »</p>', true],
    ['<p>La réponse banale.</p>', false],
    ['<p>Un choixb.</p>', false],
    ['<p>La réponse i.</p>', false],
    ['<p>Rien.</p>', false],
  ] as const)
    for (const key of [
      { explanation: text, remarks: {} },
      { explanation: null, remarks: { abcdefghijkl: text } as Record<string, string> },
    ]) {
      t.equal(isLettered(key), expected, JSON.stringify(key));
      const [row] = await sql<{ lettered: boolean }>(databaseUrl, `select ${letteredSql('$1::jsonb')} as lettered`, [JSON.stringify(key)]);
      t.equal(row?.lettered, expected, `SQL: ${JSON.stringify(key)}`);
    }
});
