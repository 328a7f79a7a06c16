import type { ChainClient } from '@bowline/chain/chain-client';
import { sameAddress } from '@bowline/core/domain/same-address';
import { bnb, parseUnitsDown } from '@bowline/core/domain/units';
import { type AddressBook, withAccountFactory } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import type { Address } from 'viem';
import { swapExecutorAbi } from '../abis/index.ts';
import { keeperAccount, rescueAccounts, sellerAccount } from '../agent/src/compose/keys.ts';
import { type Config, loadConfig } from '../agent/src/config.ts';
import { openAccount } from '../agent/src/sending/wallet/account.ts';
import { type ExitCode, exitCodes, type Options, UsageError } from './commands.ts';
import { placeOf, say } from './home.ts';
import { hostOf } from './host.ts';
import { openSending } from './sending/bounds.ts';
import { accountsOf } from './sending/keys.ts';
import { sendAs } from './sending/send.ts';

/**
 * `npx bowline fund`: says how much BNB for gas each account of the agent's settings has. With `--yes`, tops each up to
 * `--to`, by default two days of MAX_GAS_BNB_PER_DAY, from the account of PAYER_PRIVATE_KEY, which is read only from the shell.
 */
export async function fund(options: Options<'fund'>): Promise<ExitCode> {
  const host = hostOf();
  const { client, bounds } = await openSending(host, options);
  const config = loadConfig(host.environment);
  const target = options.to === undefined ? 2n * config.gasBounds.maxDayWei : parseUnitsDown(options.to, 18);
  if (target === undefined) throw new UsageError('--to takes an amount in BNB, like 0.05.');
  const recorded = readAddressBook(bounds.chainId, placeOf(`${options.deployments ?? host.deployments}/`));
  const payers = await payersOf(config, client, withAccountFactory(recorded, host.accountFactory));
  const payer = accountsOf(['PAYER_PRIVATE_KEY'], process.env, bounds.chainId)('PAYER_PRIVATE_KEY');
  let isLacking = false;
  for (const [role, to] of payers) {
    const held = await client.getBalance({ address: to });
    const value = target > held ? target - held : 0n;
    say(`${role.padEnd(8)} ${to} holds ${bnb(held)}${value > 0n ? `, and lacks ${bnb(value)}` : ''}.`);
    if (value === 0n) continue;
    if (payer === undefined || options.yes === undefined) isLacking = true;
    else say(`  Sent: ${(await sendAs(client, payer, { to, data: '0x', value }, bounds)).transactionHash}`);
  }
  if (isLacking && payer === undefined) say('PAYER_PRIVATE_KEY is not set: send the missing BNB from any wallet.');
  else if (isLacking) say(`Nothing was sent. Add --yes to send it from ${payer?.address}.`);
  return isLacking ? exitCodes.wrong : exitCodes.done;
}

/** @throws a sentence, if SwapExecutor's operator is not the keeper's account: no stranger's account is funded. */
async function payersOf(config: Config, client: ChainClient, book: AddressBook): Promise<[role: string, Address][]> {
  const payers = rescueAccounts(config).map(({ address }): [string, Address] => ['rescuer', address]);
  if (config.seller && book.escrow) payers.push(['seller', sellerAccount(config.seller, config).address]);
  const keeper = keeperAccount(config);
  if (keeper === undefined) return payers;
  payers.unshift(['keeper', keeper.address]);
  const executor = { address: book.own.swapExecutor, abi: swapExecutorAbi } as const;
  const operator = await client.readContract({ ...executor, functionName: 'operator' });
  if (sameAddress(operator, keeper.address)) return payers;
  const wallet = await openAccount(client, keeper, book.accountAbstraction);
  if (!sameAddress(operator, wallet.address))
    throw new Error(`KEEPER_PRIVATE_KEY belongs to ${keeper.address}, but SwapExecutor's operator is ${operator}.`);
  return [['wallet', operator], ...payers];
}
