import { createContext, useContext } from 'react';
import type { Settings } from './api/settings.ts';

const Context = createContext<Settings | undefined>(undefined);

export const SettingsProvider = Context.Provider;

export function useSettings(): Settings {
  const settings = useContext(Context);
  if (settings === undefined) throw new Error('useSettings outside of SettingsProvider');
  return settings;
}
