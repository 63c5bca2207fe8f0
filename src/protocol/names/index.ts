/** Names as both halves read them. */

export { domainPattern } from './domain-pattern'
