// BNB Chain's block settings, for every chain that this project starts: replica, fork, simulator and benches.

export const blockSeconds = 0.45;

/** Gas limit of a block: what validators have set since blocks take 0.45 s (BEP-619; it was 140 million at 3 s). */
export const blockGas = 55_000_000n;
