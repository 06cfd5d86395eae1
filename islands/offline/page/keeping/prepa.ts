import { formatBytes } from '../../../../src/shared/bytes.ts';
import { formatInstant } from '../../../../src/shared/dates.ts';
import type { SizesAnswer } from '../../../../src/shared/offline/offline-copy.ts';
import { type KeepingChoice, weightOf } from '../../../../src/shared/offline/weight.ts';
import { openModal } from '../../../ui/modal.ts';
import { readableCopies } from '../../both/access.ts';
import { onChange } from '../../both/store/changes.ts';
import { contact, keepInContact } from '../contact.ts';
import { type KeepProgress, keepPrepa } from '../keep.ts';
import { missingFiles } from '../kept-files.ts';
import { lackOf } from '../lack.ts';
import { type Copy, openStore } from '../store/store.ts';
import { countOf, itemsAmong } from '../waiting.ts';
import { choicesOf, sameChoice } from './choices.ts';
import { missingRoom } from './room.ts';
import { partOf, whyTaken, words } from './words.ts';

/** Label of each step of the download. */
const steps: Record<KeepProgress['step'], string> = {
  garder: 'Préparation…',
  textes: 'Textes…',
  images: 'Images…',
  documents: 'Documents…',
  page: 'Dernières vérifications…',
};

/**
 * Runs the page /user/prepa/:id/hors-ligne: keeps the prepa on this device, shows the progress, continues after a pause or a lost connection,
 * updates the copy, and removes it. The view has most of the sentences, as templates.
 */
export function showPrepa(root: HTMLElement): void {
  const form = partOf<HTMLFormElement>(root, 'form');
  if (!form) return;
  const prepa = Number(root.dataset.prepa);
  const sizes = JSON.parse(root.dataset.sizes ?? '') as SizesAnswer;
  const choices = choicesOf(form, sizes);
  const part = <Part extends HTMLElement>(name: string) => partOf<Part>(root, name) as Part;
  const button = (act: string) => root.querySelector(`[data-act="${act}"]`) as HTMLButtonElement;
  const [keepButton, removeButton, pauseButton] = [button('keep'), button('remove'), button('pause')];
  const bar = root.querySelector('progress') as HTMLProgressElement;
  let copy: Copy | null = null;
  /** Clause about missing files, see `lackOf`. */
  let lack: string[] = [];
  /** Aborts the running download; null when none is running. */
  let running: AbortController | null = null;

  const say = (name: string, values?: Record<string, string>): void => part('state').replaceChildren(words(root, name, values));

  function sayCopy(): void {
    if (!copy) part('state').replaceChildren();
    else if (copy.complete)
      say('kept', { updated: formatInstant(new Date(copy.updatedAt)), bytes: formatBytes(copy.download ?? copy.bytes) });
    else say('partial');
    if (copy?.complete && lack.length > 0) part('state').append(words(root, 'lacking', { lack: lack.join() }));
  }

  function label(): void {
    const changed = copy !== null && !sameChoice(copy, choices.chosen());
    keepButton.textContent = !copy ? 'Garder hors ligne' : changed ? 'Garder ce choix' : copy.complete ? 'Mettre à jour' : 'Reprendre';
    removeButton.hidden = copy === null;
  }

  /** Reads the copy from the store. Sets the checkboxes to its choice if the choice has changed. */
  async function read(): Promise<void> {
    const before = copy;
    copy = (await readableCopies()).find(({ id }) => id === prepa) ?? null;
    lack = copy ? lackOf(await missingFiles([prepa])) : [];
    if (copy && !(before && sameChoice(before, copy))) choices.tick(copy, askedFor());
    if (Boolean(copy) !== Boolean(before)) part<HTMLDetailsElement>('choices').open = copy === null;
    markDevices(before);
    label();
  }

  /** Marks this device in the list of devices that keep the prepa, and removes it from the list when the copy is gone. */
  function markDevices(before: Copy | null): void {
    for (const device of root.querySelectorAll<HTMLElement>('[data-device]')) {
      const id = Number(device.dataset.device);
      device.querySelector('.badge')?.toggleAttribute('hidden', id !== copy?.device);
      if (id === copy?.device && !before) part<HTMLInputElement>('name').value = device.dataset.name ?? '';
      if (!copy && id === before?.device) device.remove();
    }
    const devices = partOf(root, 'devices');
    if (devices) devices.hidden = !devices.querySelector('[data-device]');
  }

  async function weighRoom(): Promise<void> {
    const choice = choices.chosen();
    // Without an estimate, full storage is only found during the download.
    const estimate = await navigator.storage?.estimate?.().catch(() => ({}));
    const missing = missingRoom(sizes, choice, copy?.bytes ?? 0, estimate ?? {});
    part('room').replaceChildren(...(missing > 0 ? [words(root, 'no-room', { missing: formatBytes(missing) })] : []));
  }

  function busy(is: boolean): void {
    part('work').hidden = !is;
    form?.toggleAttribute('hidden', is);
    if (is) part('state').replaceChildren();
    // The pressed button is now hidden: move the focus to the visible one.
    (is ? pauseButton : keepButton).focus({ preventScroll: true });
  }

  function progress({ step, done, total }: KeepProgress): void {
    const said = part('step');
    if (said.textContent !== steps[step]) said.textContent = steps[step];
    // The total is still unknown.
    if (total === 0) return;
    bar.value = done / total;
    // The device stores texts uncompressed, but the page gives download sizes everywhere.
    const download = weightOf(sizes, choices.chosen()).total;
    part('bytes').textContent = `${formatBytes((done / total) * download)} sur ${formatBytes(download)}`;
  }

  async function keep(choice: KeepingChoice): Promise<void> {
    running = new AbortController();
    bar.removeAttribute('value');
    part('bytes').textContent = '';
    busy(true);
    const outcome = await keepPrepa(
      { prepa, deviceName: part<HTMLInputElement>('name').value, download: weightOf(sizes, choice).total, ...choice },
      progress,
      running.signal,
    );
    const paused = running.signal.aborted;
    running = null;
    await read().catch(() => {});
    busy(false);
    if (outcome.kept) sayCopy();
    else if (paused) say('paused');
    else {
      const known = root.querySelector(`template[data-says="${outcome.reason}"]`) !== null;
      say(known ? outcome.reason : 'failed', outcome.message ? { message: outcome.message } : {});
      // A smaller choice may fit.
      if (outcome.reason === 'quota') part<HTMLDetailsElement>('choices').open = true;
      // Continue the download when the network returns.
      if (outcome.reason === 'network') addEventListener('online', () => running ?? keep(choice), { once: true });
    }
  }

  async function remove(): Promise<void> {
    const store = await openStore();
    const waiting = (await store.entries()).filter((entry) => entry.prepa === prepa);
    part('unsent').replaceChildren(...(waiting.length > 0 ? [words(root, 'unsent', { count: countOf(itemsAmong(waiting)) })] : []));
    const dialog = part<HTMLDialogElement>('confirm');
    dialog.returnValue = '';
    openModal(dialog);
    await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
    if (dialog.returnValue !== 'oui') return;
    await store.forget(prepa);
    await contact({ forced: true }).catch(() => {});
    await read();
    say('removed');
    keepButton.focus({ preventScroll: true });
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const choice = choices.chosen();
    if (choice.disciplines?.length !== 0) return void keep(choice);
    part<HTMLDetailsElement>('choices').open = true;
    part('room').replaceChildren(words(root, 'nothing-ticked'));
    choices.first()?.focus();
  });
  form.addEventListener('change', () => {
    choices.weigh();
    label();
    void weighRoom();
  });
  pauseButton.addEventListener('click', () => running?.abort());
  removeButton.addEventListener('click', () => void remove().catch(() => say('failed')));

  async function begin(): Promise<void> {
    if (!('serviceWorker' in navigator && 'caches' in window && 'indexedDB' in window)) throw new Error('no-worker');
    await read();
    sayCopy();
    await weighRoom();
    const follow = () => read().then(sayCopy, () => {});
    onChange(({ data }) => {
      if (!running && data === 'changed') void follow();
    });
    root.dataset.state = 'ready';
    if (!copy) return;
    keepInContact(({ removed }) => {
      if (running) return;
      const gone = removed.find(({ id }) => id === prepa);
      void follow().then(() => gone && say('taken', { name: gone.nom, why: whyTaken[gone.reason] }));
    });
  }

  begin().catch((error: Error) => {
    say(error.message === 'no-worker' ? 'no-worker' : 'refused');
    keepButton.hidden = true;
  });
}

/** Returns the disciplines named in the URL. */
const askedFor = (): number[] => new URLSearchParams(location.search).getAll('discipline').map(Number);
