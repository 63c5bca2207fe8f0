export { Claim } from './claim'
export { SignIn } from './sign-in'
export { UseLink } from './use-link'
export { Welcome } from './welcome'
