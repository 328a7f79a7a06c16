import { said } from '../language.ts';

// What the forms of a borrower's own payments say, in English.

export const paymentWords = said('paymentWords', {
  repayTitle: (protocol: string) => `Repay debt in ${protocol}`,
  supplyTitle: (protocol: string) => `Add collateral in ${protocol}`,
  debt: 'Debt',
  collateral: 'Collateral',
  amount: 'Amount',
  owed: (owed: string) => `You owe ${owed}. MAX repays all of it if your wallet holds enough.`,
  supplied: (supplied: string) => `You have supplied ${supplied}.`,
  reading: 'Reading the market …',
  repay: 'Approve and repay',
  supply: 'Approve and add',

  approveStep: (amount: string) => `Approve ${amount} to the protocol`,
  repayStep: (amount: string) => `Repay ${amount}`,
  repayAllStep: (amount: string) => `Repay the whole debt of about ${amount}`,
  supplyStep: (amount: string) => `Add ${amount} as collateral`,

  repays: (amount: string, protocol: string) => `${amount} from your wallet repays your debt in ${protocol}.`,
  repaysAll: (symbol: string, amount: string) =>
    `Your whole ${symbol} debt is repaid: about ${amount}, plus interest until then. None of it is left.`,
  supplies: (amount: string, protocol: string) =>
    `${amount} from your wallet becomes collateral of your loan in ${protocol}.`,
  brings: (from: string, to: string) => `Health goes from ${from} to about ${to}.`,
  noDebtLeft: 'You then owe nothing.',
  approves: (amount: string, protocol: string) =>
    `You approve exactly ${amount} to ${protocol}’s own contract, and nothing to Bowline.`,
  sends: (amount: string, protocol: string) => `You send ${amount} to ${protocol}’s own contract. You approve nothing.`,
  returns: (protocol: string) =>
    `That is 0.1 % more than you owe now, to cover interest until then. ${protocol} returns the rest in the same transaction.`,
  interestLeft: 'Interest that accrues until then remains owed.',
  surplus: (protocol: string) =>
    `That is 0.1 % more than you owe now, to cover interest until then. ${protocol} takes what you owe; the rest stays approved to it.`,

  amountRefusals: {
    amount_over_debt: (owed: string) => `You owe only ${owed}. MAX repays all of it.`,
    amount_over_balance: (symbol: string) => `Your wallet holds less ${symbol}.`,
    remaining_debt_too_small: (least: string) =>
      `The protocol accepts no remaining debt below ${least}. Repay less, or all of it with MAX.`,
  },
  refusals: {
    market_not_listed: (protocol: string) =>
      `This market is not in Bowline’s list, so nothing is drafted for it. Pay on ${protocol} itself.`,
    repay_paused: (protocol: string) => `${protocol} has paused repayments in this market.`,
    supply_paused: (protocol: string) => `${protocol} has paused deposits in this market.`,
    repaid_by_broker_only: (protocol: string) =>
      `Only a broker of ${protocol} can repay in this market. Repay on ${protocol} itself.`,
    supplied_by_provider_only: (protocol: string) =>
      `Only ${protocol}’s own provider can deposit this collateral. Add it on ${protocol} itself.`,
  },
  unread: 'The market could not be read, so nothing can be signed.',
  repaid: 'Repaid.',
  added: 'Collateral added.',
  notShown: 'The transaction is confirmed, but its receipt shows no payment: the protocol refused it.',
});
