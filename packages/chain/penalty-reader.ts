import { isAccountOf, type LendingProtocol } from '@bowline/core/domain/lending';
import { asking, type ChainClient } from './chain-client.ts';
import { readerOf } from './lending/readers.ts';
import type { PenaltyReader } from './readers.ts';

export const createPenaltyReader = (client: ChainClient, lending: readonly LendingProtocol[]): PenaltyReader => ({
  penaltyWad: (guard) =>
    asking(async () => {
      const protocol = lending.find((each) => isAccountOf(each, guard));
      return protocol && readerOf(protocol)?.penaltyWad(client, protocol);
    }),
});
