import { counted } from '@bowline/core/texts/counts';
import { said } from '../language.ts';

// What the parts of several sections say, in English: forms, findings, trades and failed readings.

export const verdictWords = said('verdictWords', {
  GO: 'Fair price',
  CAUTION: 'Caution',
  NO_GO: 'Don’t trade',
  NO_DATA: 'Not enough data',
  old: 'old verdict',
  asOf: (time: string) => `as of ${time}`,
});

export const partWords = said('partWords', {
  spender: 'Spender shown by your wallet:',
  copy: 'Copy',
  copied: 'Copied',
  ofAddress: ' the contract’s address',
  moreOptions: 'More options',
  agreeing: 'What you’re agreeing to',
  agreeingLater: 'Fill in the form to see what you’re agreeing to.',
  startAgain: 'Start over',
  close: 'Close',
  balance: 'Balance:',
  max: 'MAX',

  allPass: (checks: number) => `All ${counted(checks, 'check')} pass`,
  othersPass: (checks: number) => `${counted(checks, 'other check')} pass`,
  idle: (checks: number) => `; ${checks} ${checks === 1 ? 'does' : 'do'} not apply here`,
  nothingMeasured: 'Nothing was measured.',
  outcomes: { pass: 'passes', caution: 'caution', no_go: 'no go', no_data: 'no data' },
  measured: (value: string, limits: string) => `Measured ${value}, limit ${limits}.`,
  limits: (caution: string, limit: string) => `${caution} for caution, ${limit} for no go`,
  inTheFuture: (seconds: bigint) => `${seconds} s in the future`,
  blocks: (blocks: string) => `${blocks} blocks`,
  age: (source: string, seconds: string) => `${source} ${seconds} s`,
  ages: (ages: readonly string[]) => `Ages: ${ages.join(', ')}.`,

  rate: 'Rate (incl. fees)',
  minimum: 'Minimum received',
  poolFee: (fees: string) => `Pool fee (${fees})`,
  impact: 'Price impact',
  networkFee: 'Network fee (approx.)',
  notKnown: 'unknown',

  unreadPlans: (plans: string) => `${plans} of your plans`,
  unreadGuards: (guards: string) => `${guards} of your guards`,
  restOfPlans: (rest: string, all: bigint) => `${rest} of ${counted(all, 'plan')}`,
  restOfGuards: (rest: string, all: bigint) => `${rest} of ${counted(all, 'guard')}`,
  toSearch: (rest: string) => `${rest} not searched yet`,
  toSearchMore: 'Some of them may be yours. The page continues automatically.',
  maybeYours: 'Some of them may be yours.',

  signing: 'Signing …',
  notEnough: (symbol: string, held: string) => `Not enough ${symbol} (you have ${held})`,
  noFee: (held: string) => `Not enough BNB for the network fee (you have ${held})`,
  wouldRefuse: 'The contract would refuse this',
});
