/** Authentication of senders: SPF, DKIM, DMARC and ARC (RFC 7208, 6376, 9989, 8617). */

export { readBelievedVerdict } from './believed-results'
export { type SoundSignature, writtenSignatures } from './dkim'
export { checkDmarc } from './dmarc'
export {
  judgeSignatures,
  prepareSignatures,
  type SignatureVerdict,
  type SignatureVerifier,
} from './signatures'
export { checkSpf } from './spf'
export { verifySignatures } from './verify-signatures'
