import { formatBytes } from '../../../src/shared/bytes.ts';
import type { SizesAnswer } from '../../../src/shared/offline/offline-copy.ts';
import { choiceOf, type KeepingChoice, weightOf } from '../../../src/shared/offline/weight.ts';

/** The form's ticks, and the sizes beside them, which follow. */
export function choicesOf(form: HTMLFormElement, sizes: SizesAnswer) {
  const box = (name: string) => form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const disciplines = () => [...form.querySelectorAll<HTMLInputElement>('input[name="discipline[]"]')];

  /** What was kept before: it stands for ticks that the form has not. */
  let before: Pick<KeepingChoice, 'pictures' | 'documents'> = { pictures: true, documents: false };

  const chosen = (): KeepingChoice =>
    choiceOf(
      sizes,
      disciplines()
        .filter(({ checked }) => checked)
        .map(({ value }) => Number(value)),
      { pictures: box('images')?.checked ?? before.pictures, documents: box('documents')?.checked ?? before.documents },
    );

  function weigh(): void {
    const choice = chosen();
    const weight = weightOf(sizes, choice);
    const say = (name: string, bytes: number) => {
      const place = form.querySelector(`[data-weight="${name}"]`);
      if (place) place.textContent = bytes === 0 ? '0 Ko' : formatBytes(bytes);
    };
    say('texts', weight.textes);
    say('pictures', weight.images);
    say('documents', weight.documents);
    say('total', weight.total);
    for (const { id } of sizes.disciplines) say(String(id), weightOf(sizes, { ...choice, disciplines: [id] }).total);
  }

  /** Ticks what is kept, and what the address asks for besides. */
  function tick(kept: KeepingChoice, asked: readonly number[]): void {
    before = kept;
    for (const discipline of disciplines()) {
      const id = Number(discipline.value);
      discipline.checked = kept.disciplines === null || kept.disciplines.includes(id) || asked.includes(id);
    }
    for (const [name, checked] of [
      ['images', kept.pictures],
      ['documents', kept.documents],
    ] as const) {
      const input = box(name);
      if (input) input.checked = checked;
    }
    weigh();
  }

  return { chosen, weigh, tick, first: () => disciplines()[0] };
}

/** Whether both are the same, however they came about. */
export const sameChoice = (one: KeepingChoice, other: KeepingChoice): boolean =>
  one.pictures === other.pictures && one.documents === other.documents && String(one.disciplines) === String(other.disciplines);
