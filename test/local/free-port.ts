export { freePort } from '../../lab/world/ports.ts';
