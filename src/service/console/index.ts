/** Web pages for humans, and their sign-in. */

export { createConsolePages } from './pages'
export { createSignIn, type TellLink } from './sign-in'
