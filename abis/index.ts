export * from './generated.ts';
