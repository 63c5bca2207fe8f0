/** Names, as both the client and the service parse them. */

export { domainPattern } from './domain-pattern'
