import { asking } from '@bowline/chain/chain-client';
import { contractErrorName } from '@bowline/chain/contract-error';
import { faultOf, refusalOf } from '@bowline/chain/errors';
import { size } from 'viem';
import { keeperCalls } from './calls.ts';
import { actorOf, type Keeper, type KeeperOptions, notDeployed, payersOf } from './keeper.ts';
import type { Account } from './wallet/account.ts';
import { connectEntryPoint } from './wallet/entry-point.ts';
import { carrierGas, gasOf, maxWei, type Operation } from './wallet/operation.ts';
import { brokenOperationRule } from './wallet/operation-policy.ts';

/**
 * A keeper that acts for the same account as a live one and signs nothing: it simulates each call, logs it and refuses it as
 * `not_allowed` by `dry_run`.
 * @throws what keeps a live keeper from starting.
 */
export async function openDryKeeper(options: KeeperOptions): Promise<Keeper> {
  const { client, log } = options;
  const actor = await actorOf(options);
  const { address, isOperator, wallet } = actor;
  if (wallet !== undefined) await checkCreatable(options, wallet);
  return {
    ...payersOf(options, actor),
    sender: {
      address,
      async send({ to, data, value, gas, label }) {
        try {
          await client.call({ account: address, to, data, value, gas });
        } catch (error) {
          const fault = faultOf(error);
          if (fault === 'ours') throw error;
          return fault === 'node'
            ? { outcome: 'not_sent' }
            : { outcome: 'would_revert', error: contractErrorName(refusalOf(error)?.data) };
        }
        log.info('call.dry_run', { label, to, gas });
        return { outcome: 'not_allowed', rule: 'dry_run' };
      },
    },
    isOperator,
    open: () => [],
    isGasDayUsed: () => false,
    isKeyShared: () => false,
    stop: async () => {},
  };
}

/** A live start deploys a wallet that is missing: refuses what would keep it from signing or carrying that operation. */
async function checkCreatable(options: KeeperOptions, wallet: Account): Promise<void> {
  const { client, book, account, rescuers, chainId, gasBounds } = options;
  const { address, creation } = wallet;
  if ((await asking(() => client.getCode({ address }))) !== undefined) return;
  const entryPoint = connectEntryPoint(client, book.accountAbstraction.entryPoint);
  const carriers = [...rescuers, ...(account ? [account] : [])];
  const [gasPrice, funds, ...held] = await asking(() =>
    Promise.all([
      client.getGasPrice(),
      entryPoint.funds(address),
      ...carriers.map((carrier) => client.getBalance({ address: carrier.address })),
    ]),
  );
  const callData = wallet.encode({ to: address, data: '0x' });
  const operation: Operation = {
    ...{ sender: address, nonce: 0n, callData, signature: '0x' },
    ...{ maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice },
    ...gasOf(0n, size(callData), false),
    ...creation,
  };
  const calls = { chainId, calls: keeperCalls(book.own, gasBounds) };
  const canPay = funds >= maxWei(operation) && held.some((wei) => wei >= carrierGas(operation) * gasPrice);
  const rule = brokenOperationRule({ account: address, creation, calls }, chainId, operation, 0n, 0n, 0n);
  if (rule !== undefined || !canPay) throw notDeployed(address, `not_allowed: ${rule ?? 'balance'}`);
}
