import { connectChain } from '@bowline/chain/chain-client';
import { formatGwei, zeroAddress } from 'viem';
import { type Chain, openChain } from '../../agent/src/compose/chain.ts';
import { openKeys, sellerAccount, verdictAddress } from '../../agent/src/compose/keys.ts';
import { proveSending } from '../../agent/src/compose/sending.ts';
import { warnOfVerdictSettings } from '../../agent/src/compose/verdict.ts';
import type { Config } from '../../agent/src/config.ts';
import { createStopFile } from '../../agent/src/process/stop-file.ts';
import { checkVerdictKey } from '../../agent/src/process/ticket-signer.ts';
import { maxRescuePriceWei, rescueGasOf } from '../../agent/src/sending/calls.ts';
import { gasLooks } from '../../agent/src/sending/keeper.ts';
import type { Deployment } from '../record.ts';
import { compareBytecode } from './bytecode.ts';
import { type Finding, notChecked, note, ofStart, ok, refused, warningsTo } from './finding.ts';

/** The result of the agent's start, as far as it goes without acting. */
export interface Started {
  readonly findings: readonly Finding[];
  /** Undefined if the start fails earlier. */
  readonly chain?: Chain | undefined;
  readonly proven?: Awaited<ReturnType<typeof proveSending>> | undefined;
}

/** @param urls of nodes that answer. */
export async function startOf(config: Config, urls: readonly string[]): Promise<Started> {
  const findings: Finding[] = [];
  // The start reports a chain without escrow even if selling is off.
  const isWanted = ({ check }: Finding) => check !== 'selling' || config.seller !== undefined;
  const log = warningsTo((finding) => findings.push(isWanted(finding) ? finding : { ...finding, state: 'note' }));
  /** Undefined if the agent would not start. */
  async function step<Made>(check: string, make: () => Made | Promise<Made>): Promise<{ made: Made } | undefined> {
    try {
      return { made: await make() };
    } catch (error) {
      findings.push(ofStart(check, error));
      return undefined;
    }
  }
  warnOfVerdictSettings(config, log);
  createStopFile(config.stopFile, log)();
  await step('signer', () => openKeys(config, log));
  const rpcUrls = config.rpcUrls.filter((url) => urls.includes(url.reveal()));
  const opened = rpcUrls.length > 0 && (await step('contracts', () => openChain({ ...config, rpcUrls }, log)));
  if (!opened) return { findings: [...findings, notChecked('keys', 'a node and the contracts')] };
  const chain = opened.made;
  const { own, verdictSigners } = chain.book;
  findings.push(ok('contracts', `Code and registry agree; SwapExecutor is ${own.swapExecutor}.`));
  const signer = verdictAddress(config);
  if (await step('verdict_key', () => checkVerdictKey(signer, verdictSigners, config)))
    findings.push(ok('verdict_key', `${signer ?? 'Nobody'} signs verdicts.`));
  const sending = await step('keeper', () => proveSending(config, chain));
  if (sending !== undefined) {
    const { address, isOperator, payers } = sending.made;
    findings.push(ok('keeper', `${address} ${isOperator ? 'operates SwapExecutor' : 'makes only rescues'}.`));
    findings.push(...(await gasFindings(config, chain, payers)), ...(await priceFindings(config, chain)));
  }
  return { findings, chain, proven: sending?.made };
}

/** Whether each account can pay for one rescue, and how many days and rescues its gas lasts. */
function gasFindings(config: Config, { client, book }: Chain, own: Readonly<Record<string, `0x${string}`>>) {
  const { gasBounds, seller } = config;
  const payers = { ...own, ...(seller && book.escrow && { seller: sellerAccount(seller, config).address }) };
  const rescueGas = rescueGasOf(book.own);
  const minGas = Object.fromEntries(Object.keys(payers).map((role) => [role, rescueGas]));
  const lasts = new Map<string, { readonly days: number; readonly rescues: bigint }>();
  const looks = gasLooks(client, { payers, minGas }, (role, { wei, gasPriceWei }) => {
    lasts.set(role, {
      days: Number(wei) / Number(gasBounds.maxDayWei),
      rescues: wei / (rescueGas * gasPriceWei || 1n),
    });
  });
  return Promise.all(
    looks.map(async ({ name, look }): Promise<Finding> => {
      const check = `gas.${name}`;
      const remedy = `Send BNB to ${payers[name as keyof typeof payers]}, or run npx bowline fund.`;
      try {
        const holds = await look();
        const { days = 0, rescues = 0n } = lasts.get(name) ?? {};
        const found = `${holds}: ${days.toFixed(1)} days at MAX_GAS_BNB_PER_DAY, ${rescues} rescues.`;
        return days < 1 ? note(check, 'gas_low', found, remedy) : ok(check, found);
      } catch (error) {
        return lasts.has(name)
          ? refused(check, 'balance_too_low', (error as Error).message, remedy)
          : ofStart(check, error);
      }
    }),
  );
}

/** Whether the settings' bounds allow sending anything at the node's gas price. */
async function priceFindings({ gasBounds }: Config, { client, book }: Chain): Promise<Finding[]> {
  const priceWei = await client.getGasPrice().catch(() => undefined);
  if (priceWei === undefined) return [];
  const { maxGasPriceWei, maxDayWei } = gasBounds;
  const found = `The node asks for ${formatGwei(priceWei)} gwei`;
  const raise = (setting: string) => `Raise ${setting}, or wait until gas is cheaper.`;
  if (priceWei > maxRescuePriceWei(gasBounds))
    return [refused('gas.price', 'gas_price', `${found}: no rescue is made.`, raise('MAX_GAS_PRICE_GWEI'))];
  if (maxDayWei / 2n < rescueGasOf(book.own) * priceWei)
    return [
      refused(
        'gas.price',
        'gas_day',
        `${found}: half a day's gas limit covers no rescue.`,
        raise('MAX_GAS_BNB_PER_DAY'),
      ),
    ];
  if (priceWei <= maxGasPriceWei) return [ok('gas.price', `${found}.`)];
  return [note('gas.price', 'gas_price', `${found}: no run is made.`, raise('MAX_GAS_PRICE_GWEI'))];
}

/** Compares the code at the record's addresses with this checkout. */
export async function bytecodeFinding(url: string, record: Deployment): Promise<Finding> {
  const remedy = 'Use the deployed revision, or deploy this one. Trust neither until you know why they differ.';
  try {
    const { contracts, chosen } = await compareBytecode(connectChain(url), record);
    const different = contracts.flatMap(({ contract, address, problem }) =>
      problem === undefined ? [] : [`${contract} ${address} (${problem})`],
    );
    if (different.length > 0)
      return refused(
        'bytecode',
        'bytecode_differs',
        `Contracts differ from this checkout: ${different.join(', ')}.`,
        remedy,
      );
    const maker = chosen.maker === zeroAddress ? '' : `, maker ${chosen.maker}`;
    const chose = `operator ${chosen.operator}, rotator ${chosen.rotator}${maker}`;
    return ok('bytecode', `All ${contracts.length} contracts match this checkout; ${chose}.`);
  } catch (error) {
    return { ...ofStart('bytecode', error), remedy };
  }
}
