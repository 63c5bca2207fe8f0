// The package has its types in one file.
declare module 'mailauth/lib/arc' {
  export { arc } from 'mailauth'
}
declare module 'mailauth/lib/dkim/verify' {
  export { dkimVerify } from 'mailauth'
}
