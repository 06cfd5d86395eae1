/** Moves the toasts into the top layer, above a modal dialog. Call it after the dialog is opened. */
export function raiseToasts(): void {
  const stack = document.getElementById('toasts');
  if (!stack?.hasChildNodes() || !('showPopover' in stack) || !document.querySelector('dialog:modal')) return;
  stack.popover = 'manual';
  stack.hidePopover();
  stack.showPopover();
}
