import { WRAPPED_BNB } from '@bowline/core/domain/assets';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, toFunctionSelector } from 'viem';
import type { Asset, Settings } from '../api/settings.ts';
import type { Step } from './step.ts';

/** BNB itself, as forms and words need it. */
export const BNB = { symbol: 'BNB', decimals: 18 } as const;

/** The token that BNB is wrapped into; its feed also prices BNB. */
export const wrappedOf = (assets: readonly Asset[]): Asset | undefined =>
  assets.find(({ symbol }) => symbol === WRAPPED_BNB);

/** Whether the page may send BNB to a contract. The build pins the list: no server, node or agent can add to it. */
export const takesBnb = ({ assets, lending }: Pick<Settings, 'assets' | 'lending'>, contract: Address): boolean =>
  [wrappedOf(assets)?.address, ...lending.flatMap(({ native }) => [native?.market, native?.repaysAll])].some((each) =>
    sameAddress(contract, each),
  );

const withdrawal = toFunctionSelector('withdraw(uint256)');

export const isUnwrapping = ({ data }: Pick<Step, 'data'>): boolean => data.startsWith(withdrawal);
