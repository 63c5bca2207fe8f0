// Only the part of the package that checks chains of forwarders, bundled by itself: the whole brings fifty others.
export { arc, getARChain } from 'mailauth/lib/arc'
