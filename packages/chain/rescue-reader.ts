import type { GuardContracts } from '@bowline/core/domain/guard-key';
import { asking, type ChainClient } from './chain-client.ts';
import type { RescueReader } from './readers.ts';
import { readGuardRescues } from './records.ts';

export const createRescueReader = (client: ChainClient, own: GuardContracts): RescueReader => ({
  rescuesSince: (guard, from) => asking(() => readGuardRescues(client, own, guard, from)),
});
