import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';

// Browsers differ in how they show notifications: desktops construct one, Android needs a service worker, and some can
// do neither.

declare global {
  // The DOM types that the page uses: this program does not include the DOM's types.
  interface NotificationOptions {
    readonly tag?: string;
    readonly body?: string;
    readonly icon?: string;
  }
  interface ServiceWorkerRegistration {
    showNotification(title: string, options: NotificationOptions): Promise<void>;
  }
  interface Navigator {
    readonly serviceWorker?: { getRegistration(): Promise<ServiceWorkerRegistration | undefined> };
  }
  /** Fires on another tab's changes. */
  function addEventListener(kind: 'storage', listener: (event: { readonly key: string | null }) => void): void;
  /** A part of the page whose code did not arrive waits for this. */
  function addEventListener(kind: 'online', listener: () => void, options: { readonly signal: AbortSignal }): void;
  var Notification: {
    new (title: string, options: NotificationOptions): object;
    readonly permission: string;
    requestPermission(): Promise<string>;
  };
}

const shown: string[] = [];

/** @param constructs whether `new Notification` works. */
function browser(constructs: boolean, permission: string, hasWorker = false) {
  shown.length = 0;
  class Fake {
    static permission = permission;
    constructor(title: string, _: NotificationOptions) {
      if (!constructs) throw new TypeError('Illegal constructor.');
      if (Fake.permission === 'granted') shown.push(title);
    }
  }
  vi.stubGlobal('Notification', Fake);
  const worker = { showNotification: async (title: string) => void shown.push(`worker: ${title}`) };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => (hasWorker ? worker : undefined) } });
}

async function load() {
  vi.resetModules();
  const [choice, { Notifications }] = await Promise.all([
    import('../app/home/notification-choice.ts'),
    import('../app/home/notifications.tsx'),
  ]);
  await Promise.resolve();
  const said = () => renderToStaticMarkup(createElement(Notifications)).replace(/<[^>]+>/g, ' ');
  return { ...choice, said };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const none = 'This browser can’t show notifications';

test('a notification is offered only where the browser can show one', async () => {
  browser(true, 'default');
  expect((await load()).said()).toContain('Turn on notifications');
  browser(false, 'default');
  const android = (await load()).said();
  expect(android).toContain(none);
  expect(android).not.toContain('Turn on');
  browser(false, 'default', true);
  const { said } = await load();
  await vi.waitFor(() => expect(said()).toContain('Turn on notifications'));
});

test('it is shown by the service worker where there is one, and nothing breaks where neither can', async () => {
  browser(true, 'granted');
  await (await load()).show('Loan rescued', {});
  expect(shown).toEqual(['Loan rescued']);
  browser(false, 'granted', true);
  await (await load()).show('Loan rescued', {});
  expect(shown).toEqual(['worker: Loan rescued']);
  browser(false, 'granted');
  const { show, said } = await load();
  expect(said()).not.toContain(none);
  await show('Loan rescued', {});
  expect(shown).toEqual([]);
  expect(said()).toContain(none);
});

test('turned off in one tab, notifications are off in every tab', async () => {
  browser(true, 'granted');
  const kept = new Map([['bowline.notifications', 'on']]);
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null });
  const heard: ((event: { readonly key: string | null }) => void)[] = [];
  vi.stubGlobal('addEventListener', (kind: string, listener: (typeof heard)[number]) => {
    if (kind === 'storage') heard.push(listener);
  });
  const { said } = await load();
  const tell = (key: string | null) => heard.forEach((listener) => void listener({ key }));
  expect(said()).toContain('Turn off notifications');
  kept.clear();
  tell('another');
  expect(said()).toContain('Turn off notifications');
  tell('bowline.notifications');
  expect(said()).toContain('Turn on notifications');
  kept.set('bowline.notifications', 'on');
  tell('bowline.notifications');
  expect(said()).toContain('Turn off notifications');
  // The browser's storage was cleared.
  kept.clear();
  tell(null);
  expect(said()).toContain('Turn on notifications');
});
