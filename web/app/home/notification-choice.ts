import { useSyncExternalStore } from 'react';
import { browserStorage } from '../storage.ts';

const KEY = 'bowline.notifications';
const listeners = new Set<() => void>();
let isChosen = read();

function read(): boolean {
  return browserStorage.getItem(KEY) === 'on';
}

/** Off until the user turns it on. */
export function choose(isOn: boolean): void {
  isChosen = isOn;
  if (isOn) browserStorage.setItem(KEY, 'on');
  else browserStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

// Another tab's choice applies here too, because the user sees one page. A null key means that all storage was cleared.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key !== KEY && key !== null) return;
  isChosen = read();
  for (const listener of listeners) listener();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether this browser can show notifications: some (Android) allow the class only in a service worker of the page. */
let canShow = 'Notification' in globalThis && isConstructible();

/** Without permission, the test notification is not shown. With permission, no test: the first real failure decides. */
function isConstructible(): boolean {
  if (Notification.permission === 'granted') return true;
  try {
    new Notification('', {});
    return true;
  } catch {
    return false;
  }
}

/** The page has no service worker now; one that it gets later, or got from elsewhere, is used. */
const registration = async (): Promise<ServiceWorkerRegistration | undefined> =>
  'Notification' in globalThis
    ? globalThis.navigator?.serviceWorker?.getRegistration().catch(() => undefined)
    : undefined;

function setCanShow(can: boolean): void {
  if (can === canShow) return;
  canShow = can;
  for (const listener of listeners) listener();
}

void registration().then((found) => found && setCanShow(true));

/** Shows a notification. If the browser turns out to be unable to, notifications are no longer offered. */
export async function show(title: string, options: NotificationOptions): Promise<void> {
  try {
    const worker = await registration();
    if (worker) await worker.showNotification(title, options);
    else new Notification(title, options);
  } catch {
    setCanShow(false);
  }
}

const isAble = (): boolean => canShow;
const isAsked = (): boolean => isChosen;

export const useCanNotify = (): boolean => useSyncExternalStore(subscribe, isAble, isAble);

/** Whether the owner has asked for notifications and the browser allows and can show them. */
export function useNotificationChoice(): boolean {
  const isOn = useSyncExternalStore(subscribe, isAsked, isAsked);
  return useCanNotify() && isOn && Notification.permission === 'granted';
}
