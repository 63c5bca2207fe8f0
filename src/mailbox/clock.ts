export { type Clock, systemClock } from '../client'
