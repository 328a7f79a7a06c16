// Public API: judge a proposal, replay a verdict from its evidence, read the registry.

export type { Asset, AssetClass } from './domain/assets.ts';
export { canonicalJson, evidenceOf } from './domain/evidence.ts';
export type { Limits, Proposal, Side, Size } from './domain/facts.ts';
export { type Reason, reasonCodes } from './domain/reasons.ts';
export { type Ticket, verdictTypes } from './domain/ticket.ts';
export type { Address, Hex } from './domain/units.ts';
export { type Finding, type Verdict, verdictCodes } from './domain/verdict.ts';
export { type CheckedPrice, checkUpdate, type PythSigners, type SignatureHashing } from './pyth/check.ts';
export { type AddressBook, addressBookOf } from './registry/address-book.ts';
export { readAssetRegistry } from './registry/assets.ts';
export { pythSignersOf } from './registry/pyth.ts';
export { evidenceDocument, UnsupportedRules } from './replay/evidence.ts';
export type { Line } from './replay/line.ts';
export { type Hashing, judgeAgain, looserIn, replay, served } from './replay/replay.ts';
export { signedPriceLines } from './replay/signed-price.ts';
export { checkCount } from './texts/checks.ts';
export { checkName, inWords, isWord, sentence, spaced, textOf, type Word, wordOfError } from './texts/words.ts';
export { limitsOf } from './verdict/limits.ts';
export { type Looser, looserLimits } from './verdict/looser.ts';
export { judgeProposal, rulesVersion } from './verdict/rules.ts';
export { ticketOf } from './verdict/ticket.ts';
