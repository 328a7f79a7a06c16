import type { Clock } from '@bowline/core/domain/ports';

export const clock: Clock = () => BigInt(Math.floor(Date.now() / 1000));
