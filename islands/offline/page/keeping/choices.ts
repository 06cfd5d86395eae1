import { formatBytes } from '../../../../src/shared/bytes.ts';
import type { SizesAnswer } from '../../../../src/shared/offline/offline-copy.ts';
import { choiceOf, type KeepingChoice, weightOf } from '../../../../src/shared/offline/weight.ts';

/** Reads and sets the form's checkboxes, and updates the sizes shown next to them. */
export function choicesOf(form: HTMLFormElement, sizes: SizesAnswer) {
  const box = (name: string) => form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  const disciplines = () => [...form.querySelectorAll<HTMLInputElement>('input[name="discipline[]"]')];

  /** The choice kept before. Used for pictures or documents when the form has no checkbox for them. */
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

  /** Ticks the kept choice, and also the disciplines named in the URL. */
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

/** Returns whether two choices are equal. */
export const sameChoice = (one: KeepingChoice, other: KeepingChoice): boolean =>
  one.pictures === other.pictures && one.documents === other.documents && String(one.disciplines) === String(other.disciplines);
