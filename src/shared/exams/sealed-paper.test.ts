import t from 'tap';
import { newKey, seal, unseal } from './sealed-paper.ts';

const paper = new TextEncoder().encode('<p>Quelle est la capitale du Cameroun ?</p>');

t.test('a sealed paper is opened with its key only, and only whole', async (t) => {
  const key = newKey();
  const sealed = await seal(paper, key);
  t.same(await unseal(sealed, key), paper);
  t.notMatch(Buffer.from(sealed).toString('latin1'), 'capitale');
  await t.rejects(unseal(sealed, newKey()), { name: 'OperationError' });
  const damaged = sealed.slice();
  damaged[sealed.length - 1] = (damaged[sealed.length - 1] ?? 0) ^ 1;
  await t.rejects(unseal(damaged, key), { name: 'OperationError' });
  t.notSame(await seal(paper, key), sealed, 'never twice with the same initialisation vector');
});
