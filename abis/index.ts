export * from './collateral.ts';
export * from './generated.ts';
export * from './loan-guard.ts';
export * from './quote-desk.ts';
