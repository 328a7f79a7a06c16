export { clock, steadyClock, timers } from '@bowline/http/clock';
