/** A modal dialog stands in the browser's top layer: what shall be seen above it must go there too, and after it. */
export function raiseToasts(): void {
  const stack = document.getElementById('toasts');
  if (!stack?.hasChildNodes() || !('showPopover' in stack) || !document.querySelector('dialog:modal')) return;
  stack.popover = 'manual';
  stack.hidePopover();
  stack.showPopover();
}
