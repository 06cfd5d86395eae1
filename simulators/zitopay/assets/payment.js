// The provider's widget as integrators describe it: Zitopay.pay(options) opens the checkout page in an overlay and gets its messages.
(() => {
  const origin = new URL(document.currentScript.src).origin;
  const PARAMETERS = ['receiver', 'amount', 'currency', 'ref', 'memo', 'notification_url', 'success_url', 'cancel_url'];
  const nothing = () => {};
  let opened = null;

  // Sets style properties one by one: the host page's CSP forbids style attributes, but not the style object.
  function create(name, style, properties) {
    const element = Object.assign(document.createElement(name), properties);
    for (const [property, value] of Object.entries(style)) element.style[property] = value;
    return element;
  }

  function buildOverlay(address) {
    // A modal dialog traps the focus and restores it when closed.
    const dialog = create(
      'dialog',
      {
        position: 'fixed',
        inset: '0',
        width: '100%',
        height: '100%',
        maxWidth: 'none',
        maxHeight: 'none',
        margin: '0',
        border: '0',
        padding: '8px',
        boxSizing: 'border-box',
        overflow: 'auto',
        backgroundColor: 'rgba(25, 20, 67, 0.8)',
      },
      { id: 'zitopayPaymentOverlay', ariaLabel: 'Paiement ZitoPay (simulateur)' },
    );
    const close = create(
      'button',
      {
        display: 'block',
        margin: '0 auto 8px',
        minHeight: '44px',
        padding: '8px 16px',
        font: 'inherit',
        cursor: 'pointer',
        border: '2px solid #ffffff',
        borderRadius: '4px',
        color: '#ffffff',
        backgroundColor: '#191443',
      },
      { type: 'button', id: 'zitopayCloseToggler', textContent: 'Fermer le paiement' },
    );
    const frame = create(
      'iframe',
      {
        display: 'block',
        boxSizing: 'border-box',
        width: '100%',
        maxWidth: '480px',
        height: '680px',
        margin: '0 auto',
        border: '0',
        backgroundColor: '#ffffff',
      },
      { id: 'zitopayPaymentIframe', name: 'zitopayPaymentIframe', title: 'Page de paiement (simulateur)', src: address },
    );
    dialog.append(close, frame);
    return { dialog, close, frame };
  }

  function refuse(reason) {
    console.error(`ZitoPay : ${reason}`);
    return reason;
  }

  /** Removes the overlay without calling onClose, which reports only that the payer left. */
  function closePopup() {
    if (!opened) return;
    const { dialog } = opened;
    opened = null;
    dialog.close();
    dialog.remove();
  }

  function leave(reason) {
    if (!opened) return;
    const { onClose } = opened;
    closePopup();
    onClose(reason);
  }

  function pay(options) {
    if (!options) return refuse('options de paiement attendues.');
    const { onDone = nothing, onClose = nothing, onLoad = nothing } = options;
    if (!(Number(options.amount) > 0)) return refuse('montant incorrect.');
    if (!/^[A-Z]{3}$/.test(options.currency)) return refuse('devise incorrecte, trois lettres majuscules attendues.');
    if (!options.receiver) return refuse('receveur attendu.');
    if (opened) return refuse('un paiement est déjà ouvert.');

    const query = new URLSearchParams({ popup: '1' });
    for (const name of PARAMETERS) query.set(name, options[name] ?? '');
    const overlay = buildOverlay(`${origin}/sci?${query}`);
    opened = { ...overlay, onDone, onClose };
    overlay.frame.addEventListener('load', () => onLoad(), { once: true });
    overlay.close.addEventListener('click', () => leave('Closed by user'));
    // Escape closes a dialog without a click on its button.
    overlay.dialog.addEventListener('close', () => {
      if (opened?.dialog === overlay.dialog) leave('Closed by user');
    });
    document.body.append(overlay.dialog);
    overlay.dialog.showModal();
    overlay.frame.focus();
  }

  window.addEventListener('message', (event) => {
    if (!opened || event.origin !== origin || event.source !== opened.frame.contentWindow) return;
    // `times` exists only in the simulator: the page is notified twice (knob successTwice).
    const { func, message, height, times } = event.data ?? {};
    if (func === 'resizePaymentIframe') opened.frame.style.height = `${Math.min(Math.max(Number(height) || 680, 320), 2000)}px`;
    if (func === 'zitopayCloseBuffer') leave(message);
    if (func === 'zitopayDoneBuffer') {
      const { onDone } = opened;
      closePopup();
      onDone(JSON.parse(message));
      if (times === 2) onDone(JSON.parse(message));
    }
  });

  window.Zitopay = { pay, closePopup };
})();
