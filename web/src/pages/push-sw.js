// Shows the notifications that the product sends by web push, and opens their address when they are clicked.
//
// A service worker must come from the site that it is for. Put a file with one line there, and register it:
//   importScripts('https://<address of the product>/push-sw.js');

self.addEventListener('push', (event) => {
  const { title, body, url, icon, tag } = read(event.data);
  event.waitUntil(self.registration.showNotification(title, { body, icon, tag, data: { url } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { url } = event.notification.data ?? {};
  if (url) event.waitUntil(open(url));
});

/** A browser may stop web push for a site whose messages show nothing, so that anything is shown. */
function read(data) {
  try {
    return data.json();
  } catch {
    return { title: data?.text() || 'Notification' };
  }
}

/** In a tab that shows the address already, else in a new one. */
async function open(url) {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = tabs.find((tab) => tab.url === url);
  return shown ? shown.focus() : self.clients.openWindow(url);
}
