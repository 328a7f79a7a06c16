// `npm run lab -- day`: plays an operator's day by the operator's own commands, on a chain of this machine with BNB Chain's ID, and looks at
// the chain after each step. Exits with 1 at the first step that is not as it should be. `-- --write` writes what was played to
// docs/reference/operators-day.md; without it the page is compared with what was played.

// Before the first import of an address: a process has one replica.
process.env.LOCAL_REPLICA_OF = 'bsc';
await import('./play.ts');

// Marks this file as a module.
export {};
