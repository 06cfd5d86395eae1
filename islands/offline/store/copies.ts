import { tellOfChange } from './changes.ts';
import { answer, writing } from './database.ts';
import type { Copy } from './records.ts';
import { all, get, put } from './rows.ts';

export const copies = (): Promise<Copy[]> => all('copies');
export const copy = (id: number): Promise<Copy | null> => get('copies', id);

export async function putCopy(copy: Copy): Promise<void> {
  await put('copies', copy);
  tellOfChange();
}

/** Null, with nothing changed, when it was removed meanwhile. */
export async function changeCopy(id: number, changes: Partial<Copy>): Promise<Copy | null> {
  const changed = await writing(['copies'], async (open) => {
    const found = await answer<Copy | undefined>(open('copies').get(id));
    if (!found) return null;
    const copy = { ...found, ...changes };
    await answer(open('copies').put(copy));
    return copy;
  });
  tellOfChange();
  return changed;
}
