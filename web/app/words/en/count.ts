/** "1 plan", "2,000 plans". */
export const count = (number: bigint | number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${BigInt(number) === 1n ? '' : 's'}`;
