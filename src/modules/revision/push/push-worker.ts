/**
 * The push worker: shows the site's messages, and opens their page. It handles no requests, and its scope has no pages, so that the service
 * worker of kept prepas (docs/offline.md) stays in charge of all of them. Fields of a message: `PushPayload`, and `tag`.
 */
export const pushWorker = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: url, lang: 'fr', icon: '/icon-192.png' }));
});
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data, location.origin).href));
});
async function open(address) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === address);
  return shown ? shown.focus() : self.clients.openWindow(address);
}
`;
