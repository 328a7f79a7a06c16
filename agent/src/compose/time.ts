export { clock, timers } from '@bowline/http/clock';
