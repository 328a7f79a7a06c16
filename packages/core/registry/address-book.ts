import { z } from 'zod';
import type { Asset } from '../domain/assets.ts';
import { bscTestnetChainId, localChainId } from '../domain/chains.ts';
import type { LendingProtocols } from '../domain/lending.ts';
import type { Address, Hex } from '../domain/units.ts';
import { readAssetRegistry } from './assets.ts';
import addressesOfBsc from './bsc.json' with { type: 'json' };
import addressesOfTestnet from './bsc-testnet.json' with { type: 'json' };
import { lendingOf } from './lending.ts';
import { addressBy, type IsAddress, parseData } from './parse.ts';

/** A version of the rules, the time (in seconds) when a deployment judged by it, and the release that replays it. */
export const ruling = z.strictObject({
  version: z.int(),
  from: z.int(),
  /** The first second in which it was no longer in force; absent for the one in force now. */
  until: z.int().exactOptional(),
  release: z.string(),
});

export type Ruling = z.output<typeof ruling>;

type AddressSchema = ReturnType<typeof addressBy>;

/** The ERC-8183 job escrow and its default payment token. */
const escrowBy = (address: AddressSchema) =>
  z.strictObject({
    commerce: address,
    router: address,
    policy: address,
    token: z.strictObject({
      address,
      decimals: z.int().min(0).max(18),
      /** Name in the token's EIP-712 domain. */
      name: z.string(),
      version: z.string(),
    }),
  });

const foreignBy = (address: AddressSchema) =>
  z.strictObject({
    venus: z.strictObject({
      comptroller: address,
      resilientOracle: address,
      /** One oracle behind the resilient oracle: it knows each asset's feed. */
      chainlinkOracle: address,
      /** Other oracles behind it, each with one operator's prices. */
      redStoneOracle: address,
      binanceOracle: address,
      vaiController: address,
      vBnb: address,
      /** Repays all that an account owes to vBnb, which itself accepts no more than the debt. */
      maximillion: address,
      /** The market used to read an account that names none. */
      vUsdt: address,
      /** Single-token markets that an account may be asked to pay into: a node cannot name others. */
      vTokens: z.array(address),
    }),
    /** Absent on a chain without it. */
    lista: z
      .strictObject({
        moolah: address,
        oracle: address,
        rateModel: address,
        /** By symbol. An id is the hash of the market's parameters. */
        markets: z.array(
          z.strictObject({
            collateral: z.string(),
            loan: z.string(),
            lltvBps: z.int(),
            id: z.custom<Hex>((value) => /^0x[0-9a-f]{64}$/.test(String(value))),
          }),
        ),
      })
      .exactOptional(),
    /**
     * By the asset's symbol: another feed by the operator of its own feed, so the two are one source. Venus reads
     * Chainlink through proxies whose first update is sold (VIP-586, VIP-642). A feed that is neither
     * the asset's own nor listed here has an unknown operator, and adds no proof to the asset's own.
     */
    secondFeeds: z.record(z.string(), address),
    pancake: z.strictObject({
      factory: address,
      router: address,
      quoter: address,
      /** Creates the pools: their addresses follow from it. */
      poolDeployer: address,
      /** Tokens that a route may pass through. */
      hubs: z.array(address),
    }),
    /** ERC-4337 v0.9. */
    accountAbstraction: z.strictObject({
      entryPoint: address,
      /** keccak-256 of the EntryPoint's code, read from the chain. Absent: not read, so not compared. */
      entryPointCodeHash: z.custom<Hex>((value) => /^0x[0-9a-f]{64}$/.test(String(value))).exactOptional(),
    }),
    escrow: escrowBy(address),
  });

/** LoanGuard's adapters, in the order of its constructor. */
export const lendingAdapters = ['venusMarket', 'moolahMarket'] as const;

/** Our contracts in each deployment, as its record names them. */
export const ownContracts = [
  'revocations',
  'venusMarket',
  'loanGuard',
  'venusPriceSource',
  'chainlinkPriceSource',
  'planRegistry',
  'swapExecutor',
] as const;

/** Absent where there is a real market, where an adapter's protocol is missing, and without COLLATERAL_GUARD. */
export const optionalContracts = [
  'quoteDesk',
  'moolahMarket',
  'venusCollateral',
  'collateralTerms',
  'collateralGuard',
] as const;

const each = <Name extends string, Schema>(names: readonly Name[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

/** The shape of all our contracts. */
export const ownContractsBy = <Present, Optional>(present: Present, optional: Optional) => ({
  ...each(ownContracts, present),
  ...each(optionalContracts, optional),
});

const deploymentBy = (address: AddressSchema) =>
  z.object({
    chainId: z.int(),
    ...ownContractsBy(address, address.exactOptional()),
    /** Signers of the deployment's own tickets. Absent: it names nobody. */
    verdictSigners: z.array(address).exactOptional(),
    /** The rules by which its verdicts were judged, and when. Absent: only the newest. */
    rules: z.array(ruling).exactOptional(),
    /** A stand-in, if the chain has no escrow of its own. */
    escrow: escrowBy(address).exactOptional(),
  });

type Foreign = z.output<ReturnType<typeof foreignBy>>;

/** All contract addresses of one chain. */
export interface AddressBook extends Omit<Foreign, 'escrow' | 'accountAbstraction'> {
  readonly accountAbstraction: Foreign['accountAbstraction'] & {
    /** Creates the wallet's account. The operator names it, because none is published. */
    readonly accountFactory?: Address;
  };
  /** This project's own contracts. */
  readonly own: Readonly<
    Omit<z.output<ReturnType<typeof deploymentBy>>, 'chainId' | 'escrow' | 'verdictSigners' | 'rules'>
  >;
  readonly assets: readonly Asset[];
  /** The protocols whose loans LoanGuard rescues. */
  readonly lending: LendingProtocols;
  /** Signers of the deployment's own tickets. Empty: its record names nobody. */
  readonly verdictSigners: readonly Address[];
  /** The rules by which its verdicts were judged, and when. Absent: only the newest. */
  readonly rules?: readonly Ruling[];
  /** Absent on a chain without an escrow. */
  readonly escrow?: Readonly<z.output<ReturnType<typeof escrowBy>>>;
}

/** A deployment record: its file name, for errors, and its content. */
export interface DeploymentRecord {
  readonly name: string;
  readonly content: unknown;
}

/**
 * Third-party addresses on a chain, with our contracts deployed there.
 * @throws an error with a one-line message that says what is malformed.
 */
export function addressBookOf(chainId: number, { name, content }: DeploymentRecord, isAddress: IsAddress): AddressBook {
  const address = addressBy(isAddress);
  const { escrow: escrowOfOthers, ...book } = othersAddresses(isAddress, chainId);
  const record = parseData(name, content, deploymentBy(address));
  const { chainId: recorded, escrow: standIn, verdictSigners = [], rules, ...own } = record;
  if (recorded !== chainId) throw new Error(`${name} is a record of chain ${recorded}.`);
  const escrow = chainId === localChainId ? standIn : escrowOfOthers;
  const assets = readAssetRegistry(chainId, isAddress);
  return {
    ...{ ...book, assets, own, verdictSigners, lending: lendingOf({ ...book, own }) },
    ...(rules && { rules }),
    ...(escrow && { escrow }),
  };
}

/** Creates ERC-4337 accounts on the local chain. On other chains the operator names the factory. */
export const localAccountFactory: Address = '0xEDd9667C46f5FC5115EC33940df899ad4EAE5949';

/** The book with the factory that the operator names, if any. */
export const withAccountFactory = (book: AddressBook, accountFactory: Address | undefined): AddressBook => ({
  ...book,
  accountAbstraction: { ...book.accountAbstraction, ...(accountFactory && { accountFactory }) },
});

/** The record of a book's deployment, as `addressBookOf` reads it. */
export const recordOf = (chainId: number, { own, verdictSigners, rules, escrow }: AddressBook) => ({
  chainId,
  ...own,
  verdictSigners: [...verdictSigners],
  ...(rules && { rules: [...rules] }),
  ...(escrow && { escrow }),
});

/** Third-party contracts: those of BNB Chain, which the local chain also has, or of its test network. */
export const othersAddresses = (isAddress: IsAddress, chainId: number) => {
  const [name, content] = chainId === bscTestnetChainId ? ['bsc-testnet', addressesOfTestnet] : ['bsc', addressesOfBsc];
  return parseData(`packages/core/registry/${name}.json`, content, foreignBy(addressBy(isAddress)));
};

/** The parts of a deployment record that a ticket's reader needs. */
export type TicketRecord = Pick<
  z.output<ReturnType<typeof deploymentBy>>,
  'chainId' | 'planRegistry' | 'verdictSigners' | 'rules'
>;

/** @throws an error with a one-line message that says what is malformed. */
export const ticketRecordOf = ({ name, content }: DeploymentRecord, isAddress: IsAddress): TicketRecord =>
  parseData(
    name,
    content,
    deploymentBy(addressBy(isAddress)).pick({ chainId: true, planRegistry: true, verdictSigners: true, rules: true }),
  );
