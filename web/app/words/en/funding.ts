import { said } from '../language.ts';

// Texts for an account that pays for rescues of another account's loan, and for the borrower, in English.

export const fundingWords = said('fundingWords', {
  title: (borrower: string) => `Pay for rescues of ${borrower}`,
  lead: 'You pay; only the borrower can set the guard. You sign an approval and a consent, and give the borrower a link.',
  approve: 'Approve',
  approved: 'Approved. Now sign your consent to these terms.',
  pays: (trigger: string, borrower: string, symbol: string, target: string) =>
    `Below a health factor of ${trigger}, a rescue repays the ${symbol} debt of ${borrower} with your tokens, to bring health to ${target}.`,
  fromDeposit: 'from my deposit',
  deposit: 'Deposit',
  paysFromDeposit: (
    trigger: string,
    symbol: string,
    repaid: string,
    to: Readonly<Record<'borrower' | 'target', string>>,
  ) =>
    `Below a health factor of ${trigger}, a rescue withdraws from your ${symbol} deposit and repays the debt of ${to.borrower}, to bring health to ${to.target}: about ${repaid} if health has just fallen there.`,
  lowersYours: (protocol: string) =>
    `A rescue lowers the health of your own loan in ${protocol}, and is refused where ${protocol} would not let you withdraw.`,
  onlyThat:
    'Your tokens can only repay that debt, and you get nothing for it. By withdrawing collateral, the borrower can bring a rescue about: approve no more than you would give away. Both of you can cancel the guard.',
  sign: 'Sign the consent',
  unsigned: 'The consent was not signed.',
  link: 'Give this link to the borrower. It can be used once, within a day, by that account alone.',
  ofLink: ' the link for the borrower',

  offerTitle: 'Another account pays for your rescues',
  offers: (funder: string, protocol: string) => `${funder} has signed to pay for rescues of your loan in ${protocol}.`,
  depositOffered: (protocol: string) => `Its deposit in ${protocol} pays, and what that costs is its own.`,
  free: 'You spend nothing but the network fee. Health is restored with that account’s tokens, and both of you can cancel the guard.',
  accept: 'Set the guard',
  unreadable: 'This link contains no consent that this page can use.',
  otherBorrower: (borrower: string) => `This consent is for the loan of ${borrower}. Connect that account to use it.`,
});
