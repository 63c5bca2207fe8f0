import { signal } from '@preact/signals'

/** Kinds of secrets in the fragment of a link: a claim, a sign-in, a password reset. */
type Kind = 'token' | 'link' | 'reset'

const claimKey = 'restante.claim'

/** Opened sign-in or password link, until it is used. */
export const opened = signal<{ kind: 'link' | 'reset'; token: string } | null>(null)
/** Secret of the opened claim link; survives signing in, but not closing the tab. */
export const claimToken = signal<string | null>(sessionStorage.getItem(claimKey))

/** Removes the secret from the address first, so that no history, referrer or log gets it. */
export function takeSecrets(): void {
  const [, kind, token] = /^#(token|link|reset)=(.+)$/.exec(location.hash) ?? []
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  if (!kind || !token) return
  if ((kind as Kind) === 'token') {
    sessionStorage.setItem(claimKey, token)
    claimToken.value = token
  } else opened.value = { kind: kind as 'link' | 'reset', token }
}

export function forgetClaim(): void {
  sessionStorage.removeItem(claimKey)
  claimToken.value = null
}

addEventListener('hashchange', takeSecrets)
