type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Records the state that a person may have changed in an island before hydration: typed text, choices, open dialogs and focus.
 * `restore` copies this state to the elements with which React replaced the recorded ones; elements still in the page are left alone.
 * `now` returns the element that replaced a recorded one.
 */
export function holdState(
  root: HTMLElement,
  openModal: (dialog: HTMLDialogElement) => void,
): { restore: () => void; now: (element: HTMLElement) => HTMLElement | undefined } {
  const held = named(root);
  const focused = document.activeElement;
  const now = (element: HTMLElement): HTMLElement | undefined => {
    if (element.isConnected) return element;
    const name = [...held].find(([, one]) => one === element)?.[0];
    return name === undefined ? undefined : named(root).get(name);
  };
  const restore = (): void => {
    const elements = named(root);
    for (const [name, old] of held) {
      const element = elements.get(name);
      if (old.isConnected || !element) continue;
      if (old instanceof HTMLDialogElement) {
        // `close()` would fire the dialog's close event, to which the island reacts.
        element.removeAttribute('open');
        if (old.open) openModal(element as HTMLDialogElement);
      }
      if (old instanceof HTMLDetailsElement) (element as HTMLDetailsElement).open = old.open;
      else if ('value' in old) retype(old as Control, element as Control);
    }
    if (focused instanceof HTMLElement && root !== focused && !focused.isConnected) refocus(focused, now(focused));
  };
  return { restore, now };
}

/** Returns the elements that have a state, by a key: their tag, id, name and value, and the number of equal elements before them. */
function named(root: HTMLElement): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  for (const element of root.querySelectorAll<HTMLElement>('input, textarea, select, details, dialog, button, a, summary, [tabindex]')) {
    const name = [element.localName, element.id, element.getAttribute('name'), element.getAttribute('value')].join(' ');
    let count = 0;
    while (found.has(`${name} ${count}`)) count += 1;
    found.set(`${name} ${count}`, element);
  }
  return found;
}

/** Copies a control's value or tick, and fires the events of typing so that React updates its state. */
function retype(old: Control, control: Control): void {
  if (old instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(old.type)) {
    if (old.checked !== (control as HTMLInputElement).checked) control.click();
  } else if (old.value !== control.value && !/^(?:hidden|file)$/.test(old.type)) {
    // React overrides `value` on the element itself; the prototype's setter makes React see a change.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, old.value);
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

function refocus(old: HTMLElement, element: HTMLElement | undefined): void {
  element?.focus({ preventScroll: true });
  if (old instanceof HTMLInputElement && element instanceof HTMLInputElement && old.selectionStart !== null)
    element.setSelectionRange(old.selectionStart, old.selectionEnd);
}
