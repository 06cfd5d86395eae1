type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Returns what people may have changed in an island before its script came. `restore` puts it into the elements that stand in their place, and does nothing to those that
 * are still there; `now` is the element in the place of one.
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
        // Not closed first, which its island would hear of.
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

/** Elements with a state, each by what it is and how many of the same come before it. */
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

/** As if it were typed or chosen again: React learns of it. */
function retype(old: Control, control: Control): void {
  if (old instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(old.type)) {
    if (old.checked !== (control as HTMLInputElement).checked) control.click();
  } else if (old.value !== control.value && !/^(?:hidden|file)$/.test(old.type)) {
    // React watches the element's own property.
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, old.value);
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

function refocus(old: HTMLElement, element: HTMLElement | undefined): void {
  element?.focus({ preventScroll: true });
  if (old instanceof HTMLInputElement && element instanceof HTMLInputElement && old.selectionStart !== null)
    element.setSelectionRange(old.selectionStart, old.selectionEnd);
}
