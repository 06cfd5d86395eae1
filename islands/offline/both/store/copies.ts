import { tellOfChange } from './changes.ts';
import { answer, writing } from './database.ts';
import type { Copy } from './records.ts';
import { all, get } from './rows.ts';

export const copies = (): Promise<Copy[]> => all('copies');
export const copy = (id: number): Promise<Copy | undefined> => get('copies', id);

export async function putCopy(copy: Copy): Promise<void> {
  await writing(['copies'], (open) => {
    open('copies').put(copy);
  });
  tellOfChange();
}

/** Changes a copy's record and returns it. Returns undefined when the copy was removed meanwhile. */
export async function changeCopy(id: number, changes: Partial<Copy>): Promise<Copy | undefined> {
  const changed = await writing(['copies'], async (open) => {
    const found = await answer<Copy | undefined>(open('copies').get(id));
    if (!found) return;
    const copy = { ...found, ...changes };
    open('copies').put(copy);
    return copy;
  });
  tellOfChange();
  return changed;
}
