interface TimerState {
  /** Null for no limit. */
  minutes: number | null;
  /** Time counted before `since`, in ms. */
  spent: number;
  /** Time of the last start, in ms; null while paused. */
  since: number | null;
}

/** Formats milliseconds as `1:05:09`, rounded up to a second. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

const spentAt = ({ spent, since }: TimerState, now: number): number => spent + (since === null ? 0 : Math.max(0, now - since));

/** Returns the timer's text and its name: the time left; without a limit the time spent, after the end the time beyond it. */
export function reading(state: TimerState, now: number): { label: string; text: string; over: boolean } {
  const spent = spentAt(state, now);
  if (state.minutes === null) return { label: 'Temps passé', text: clockText(Math.floor(spent / 1000) * 1000), over: false };
  const left = state.minutes * 60_000 - spent;
  return left > 0
    ? { label: 'Temps restant', text: clockText(left), over: false }
    : { label: 'Temps dépassé', text: `+${clockText(Math.floor(-left / 1000) * 1000)}`, over: true };
}

/**
 * `data-behaviour="timer"`: shows itself and counts down the chosen minutes. The end is announced but stops nothing. The state survives a
 * reload in this tab, by `data-key`, which changes once the practice is marked. `data-stopped`: paused, because the correction is shown.
 */
export function start(element: HTMLElement): void {
  const part = <Part extends HTMLElement>(name: string) => element.querySelector<Part>(`[data-timer-${name}]`) as Part;
  const [label, left, end] = [part('label'), part('left'), part('end')];
  const minutes = part<HTMLSelectElement>('minutes');
  const [toggle, reset] = [part('toggle'), part('reset')];
  const stopped = element.dataset.stopped !== undefined;
  const spentField = document.querySelector<HTMLInputElement>('input[name="secondes"]');
  const storage = storageOf(`entrainement.${element.dataset.key}`);
  let state: TimerState = storage.read() ?? { minutes: Number(minutes.value) || null, spent: 0, since: null };
  let ticking = 0;

  function show(): void {
    const { label: name, text, over } = reading(state, Date.now());
    if (label.textContent !== name) label.textContent = name;
    left.textContent = text;
    const said = over ? 'Temps écoulé : terminez à votre rythme.' : '';
    if (end.textContent !== said) end.textContent = said;
  }

  function change(next: Partial<TimerState>): void {
    state = { ...state, ...next };
    storage.write(state);
    clearInterval(ticking);
    if (state.since !== null) ticking = window.setInterval(show, 1000);
    toggle.textContent = state.since !== null ? 'Pause' : state.spent > 0 ? 'Reprendre' : 'Démarrer';
    reset.hidden = state.since !== null || state.spent === 0;
    element.toggleAttribute('data-running', state.since !== null);
    show();
    // The time used goes with the mark.
    if (stopped && spentField && state.spent > 0) spentField.value = String(Math.round(state.spent / 1000));
  }

  const stop = (): void => change({ spent: spentAt(state, Date.now()), since: null });
  toggle.addEventListener('click', () => (state.since === null ? change({ since: Date.now() }) : stop()));
  reset.addEventListener('click', () => {
    change({ spent: 0, since: null });
    // The reset button is hidden now.
    toggle.focus();
  });
  minutes.addEventListener('change', () => change({ minutes: Number(minutes.value) || null }));

  function resume(): void {
    minutes.value = String(state.minutes ?? '');
    element.hidden = stopped && spentAt(state, Date.now()) === 0;
    if (stopped && state.since !== null) stop();
    else change({});
  }
  resume();
  // Back from the correction, which has stopped the stored timer.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    state = storage.read() ?? state;
    resume();
  });
}

/** Stores the state for this tab. The timer also works without storage. */
function storageOf(key: string) {
  const attempt = <Result>(use: (storage: Storage) => Result): Result | null => {
    try {
      return use(sessionStorage);
    } catch {
      return null;
    }
  };
  return {
    read: () => attempt((storage) => JSON.parse(storage.getItem(key) ?? 'null') as TimerState | null),
    write: (state: TimerState) => attempt((storage) => storage.setItem(key, JSON.stringify(state))),
  };
}
