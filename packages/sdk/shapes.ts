import type { Address, Hex } from 'viem';
import { z } from 'zod';

export const hex = z.custom<Hex>((text) => typeof text === 'string' && /^0x[0-9a-fA-F]*$/.test(text));
export const address = z.custom<Address>((text) => typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text));
