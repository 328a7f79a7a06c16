import { useSyncExternalStore } from 'react';

const KEY = 'bowline.notifications';
const listeners = new Set<() => void>();
/** Where the browser keeps nothing, the choice lasts until the page is left. */
let isChosen = read();

function read(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    return false;
  }
}

/** Off until somebody turns it on. */
export function choose(isOn: boolean): void {
  isChosen = isOn;
  try {
    if (isOn) localStorage.setItem(KEY, 'on');
    else localStorage.removeItem(KEY);
  } catch {
    // It lasts for this visit.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isSupported = (): boolean => 'Notification' in globalThis;

/** Whether the owner has asked for notifications and the browser allows them. */
export function useNotificationChoice(): boolean {
  const isOn = useSyncExternalStore(subscribe, () => isChosen);
  return isOn && isSupported() && Notification.permission === 'granted';
}
