// The simulator's pages work without this script. It returns to the merchant automatically and sends messages to the widget.
(() => {
  const tell = (data) => {
    // The message has no secrets, and the page that opened the frame may have any origin.
    if (window.parent !== window) window.parent.postMessage(data, '*');
  };

  async function goBack(way) {
    const form = way instanceof HTMLFormElement;
    if (way.dataset.times === '2') {
      // First of two loads of the success page. The second follows whatever the response is.
      const request = form ? { method: 'POST', body: new URLSearchParams(new FormData(way)) } : {};
      await fetch(form ? way.action : way.href, { ...request, mode: 'no-cors', credentials: 'include' }).catch(() => {});
    }
    if (form) way.submit();
    else window.location.assign(way.href);
  }

  tell({ func: 'resizePaymentIframe', message: '#zitopayPaymentIframe', height: document.documentElement.scrollHeight });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') tell({ func: 'zitopayCloseBuffer', message: 'Closed by user' });
  });

  const message = document.getElementById('message');
  if (message) tell({ func: message.dataset.func, message: message.dataset.message, times: Number(message.dataset.times) });
  const way = document.getElementById('return');
  if (way) goBack(way);
})();
