import { queryOptions, useQuery } from '@tanstack/react-query';
import { SettingsRefused } from './pinned.ts';
import { loadSettings, type Settings } from './settings.ts';

/**
 * The settings that server and build agree on, or the reason why the server's are refused; undefined until either is
 * known. Requested once.
 */
export const useAgreed = (pinned: Settings) => useQuery(agreedQuery(pinned));

export const agreedQuery = (pinned: Settings) =>
  queryOptions({
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
