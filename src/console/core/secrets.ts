import { signal } from '@preact/signals'

/** What a link can bring in its fragment: a claim, a sign-in, a new password. */
type Kind = 'token' | 'link' | 'reset'

const claimKey = 'restante.claim'

/** A sign-in link or one for a new password that was opened, until it is used. */
export const opened = signal<{ kind: 'link' | 'reset'; token: string } | null>(null)
/** The secret of the claim link that was opened; it outlives the signing in, and not the tab. */
export const claimToken = signal<string | null>(sessionStorage.getItem(claimKey))

/** Takes the secret out of the address, before anything else is done: it must be in no history, referrer or log. */
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
