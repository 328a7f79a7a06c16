// BNB Chain's blocks, for every chain of this project's own: replica, fork, simulator and benches.

export const blockSeconds = 0.45;

/** Gas of all its transactions together: what validators set since blocks came to take 0.45 s (BEP-619; 140 million at 3 s). */
export const blockGas = 55_000_000n;
