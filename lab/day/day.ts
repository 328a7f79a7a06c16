// `npm run lab -- day`: plays an operator's day with the operator's own commands, on a local chain with BNB Chain's ID, and
// checks the chain after each step. Exits with 1 at the first step that fails. `-- --write` writes what was played to
// docs/reference/operators-day.md; without it the page is compared with what was played.

// Set before the first import of an address: a process has one replica.
process.env.LOCAL_REPLICA_OF = 'bsc';
await import('./play.ts');

// Marks this file as a module.
export {};
