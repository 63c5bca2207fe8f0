import { button, el, field, form, show, sign, tell, text } from './page'

export const emailField = () =>
  field('E-mail', { name: 'email', type: 'email', autocomplete: 'email', maxLength: 254 })

export function passwordField(isNew: boolean): HTMLElement {
  const autocomplete = isNew ? 'new-password' : 'current-password'
  const length = { minLength: isNew ? 10 : 1, maxLength: 128 }
  return field(isNew ? 'Password, at least 10 characters' : 'Password', {
    ...{ name: 'password', type: 'password', autocomplete },
    ...length,
  })
}

export const onItsWay = 'A link is on its way. Open it on this device within 10 minutes.'

/** For who has forgotten it, and for who never had one. */
export function showForgotten(back: () => void): void {
  const ask = form(
    'Send me a link',
    [emailField()],
    async (data) => {
      await sign('send-reset', { email: text(data, 'email') })
      tell(`${onItsWay} It comes only to an address that has a login.`)
    },
    button('Back', async () => back(), 'plain'),
  )
  show(
    'Set a new password',
    el('p', {}, 'A link is sent to your address; behind it you set the password.'),
    ask,
  )
}

/** Behind the link from the mail. */
export function showReset(token: string, back: () => void): void {
  const reset = form('Set password', [passwordField(true)], async (data) => {
    await sign('reset-password', { token, password: text(data, 'password') })
    back()
    tell('The password is set, and every other session is ended. Sign in with it.')
  })
  show(
    'Set a new password',
    reset,
    button('Send me another link', async () => showForgotten(back), 'plain'),
  )
}
