/** Authentication of senders: SPF, DKIM, DMARC and ARC (RFC 7208, 6376, 7489, 8617). */

export { isChainWellFormed } from './arc'
export { type CheckedSignature, vouchingDomains } from './dkim'
export { checkDmarc } from './dmarc'
export { checkSpf } from './spf'
