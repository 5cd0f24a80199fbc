// Records what visitors of a website do. Nothing is sent or stored before the visitor consents.
(() => {
  const script = document.currentScript;
  const { key, consent, pageView } = script.dataset;
  const address = new URL(`/t?key=${key}`, script.src).href;
  const isRefused = navigator.globalPrivacyControl;
  const store = 'loyalty-visitor';
  let isGranted = consent === 'granted';
  let waiting = [];
  let visitor;
  let token;
  let timer;

  const random = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, 0)).join('');

  function visitorId() {
    try {
      visitor ||= localStorage.getItem(store) || random();
      localStorage.setItem(store, visitor);
    } catch {}
    visitor ||= random();
    return visitor;
  }

  function send(isLast) {
    clearTimeout(timer);
    timer = 0;
    while (isGranted && waiting.length) {
      const batch = waiting.splice(0, 20);
      const events = batch.map(([at, event]) => ({
        ...event,
        anonymousId: visitorId(),
        ago: Date.now() - at,
      }));
      const body = JSON.stringify({ token, events });
      if (isLast && navigator.sendBeacon?.(address, body)) continue;
      fetch(address, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => {
        waiting = [...batch, ...waiting].slice(-100);
      });
    }
  }

  const loyalty = {
    track(event, properties) {
      if (isRefused) return;
      waiting = [...waiting, [Date.now(), { id: random(), event, properties }]].slice(-100);
      timer ||= setTimeout(send, 1000);
    },
    consent(isGiven) {
      isGranted = isGiven && !isRefused;
      if (isGranted) return send();
      waiting = [];
      visitor = token = undefined;
      try {
        localStorage.removeItem(store);
      } catch {}
    },
    identify(memberToken) {
      token = memberToken;
      if (token) loyalty.track('identify');
    },
  };
  window.loyalty = loyalty;
  addEventListener('pagehide', () => send(true));
  document.addEventListener('visibilitychange', () => document.hidden && send(true));
  if (pageView !== undefined) loyalty.track('page_view', { path: location.pathname });
})();
