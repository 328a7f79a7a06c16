// Who and what the cases are about. Nothing is at these addresses.

const at = (digit: string) => `0x${digit.repeat(40)}` as const;

export const [owner, funder, executor, source] = [at('5'), at('6'), at('a'), at('8')];
export const [adapter, registry, loanGuard, revocations] = [at('b'), at('c'), at('d'), at('e')];
