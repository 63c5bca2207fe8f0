// Only the part of the package that checks chains of forwarders, bundled separately: the whole has fifty
// dependencies.
export { arc, getARChain } from 'mailauth/lib/arc'
