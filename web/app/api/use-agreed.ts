import { useQuery } from '@tanstack/react-query';
import { SettingsRefused } from './pinned.ts';
import { loadSettings, type Settings } from './settings.ts';

/** What server and build agree on, or why the server's word is not used; undefined until either is known. Asked once. */
export function useAgreed(pinned: Settings) {
  return useQuery({
    queryKey: ['agreed'],
    queryFn: () =>
      loadSettings(pinned).catch((error: unknown) => {
        if (error instanceof SettingsRefused) return error;
        return new SettingsRefused('answer_malformed');
      }),
    staleTime: Number.POSITIVE_INFINITY,
    // The server may be on this machine.
    networkMode: 'always',
  });
}
