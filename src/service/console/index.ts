/** The web pages for humans, and their signing in. */

export { createConsolePages } from './pages'
export { createSignIn, type TellLink } from './sign-in'
