/** Networks: address guard, resolver, client addresses, rate limits, signing for S3. */

export { type ClientAddress, createClientAddress, isTrustProxy } from './client-address'
export { maxHeaderBytes, notPublic } from './guarded-agent'
export { asciiHostname, readHostname } from './hostname'
export { addressGroup, areNetworks, isPublic, type Networks, parseNetworks } from './networks'
export { hostProblem } from './public-host'
export {
  type Limiter,
  type MakeLimiter,
  type Rate,
  RateLimiter,
  type RateVerdict,
} from './rate-limiter'
export { createResolver } from './resolver'
export { SharedRateLimiter, type Slice, type TakeSlice } from './shared-rate-limiter'
export { noContent, type S3Keys, s3Path, signS3 } from './sign-s3'
