/**
 * The script of the page at `/console/claim`. Secrets come in the fragment and leave it at once.
 */
import type { Account, ApiKey, NewApiKey } from '../../protocol/records'
import { showDrafts } from './drafts-page'
import {
  api,
  attempt,
  button,
  el,
  field,
  form,
  main,
  onSignedOut,
  pages,
  show,
  sign,
  tell,
  text,
} from './page'
import { emailField, onItsWay, passwordField, showForgotten, showReset } from './password-page'

const claimKey = 'restante.claim'
const who = document.getElementById('who')!
const day = (time: string) => new Date(time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })

const claimToken = {
  get: () => sessionStorage.getItem(claimKey),
  set: (token: string) => sessionStorage.setItem(claimKey, token),
  forget: () => sessionStorage.removeItem(claimKey),
}

function showSignIn(isNew = claimToken.get() !== null): void {
  const enter = async (data: FormData) => {
    await sign(isNew ? 'sign-up' : 'sign-in', {
      email: text(data, 'email'),
      password: text(data, 'password'),
    })
    await begin()
  }
  const other = button(
    isNew ? 'I have a login: sign in' : 'I am new: make a login',
    async () => showSignIn(!isNew),
    'plain',
  )
  const link = form('Send me a link', [emailField()], async (data) => {
    await sign('send-link', { email: text(data, 'email') })
    tell(onItsWay)
  })
  show(
    isNew ? 'Make your login' : 'Sign in',
    claimToken.get() === null
      ? undefined
      : el(
          'p',
          {},
          `A software agent made itself an e-mail account here, and asks you to claim it. First ${
            isNew ? 'make a login' : 'sign in'
          }, so that it can be yours.`,
        ),
    form(isNew ? 'Make login' : 'Sign in', [emailField(), passwordField(isNew)], enter, other),
    isNew
      ? undefined
      : button('Forgot your password?', async () => showForgotten(() => showSignIn(false)), 'plain'),
    el('h2', {}, 'Or without a password'),
    link,
  )
}

async function showClaim(token: string): Promise<void> {
  const preview = await api('POST', 'claim/preview', { token })
  if (preview.claimed) {
    claimToken.forget()
    return showAccounts('This account is yours already.')
  }
  const list = preview.addresses.map((address: string) =>
    el('p', { className: 'wrap' }, el('code', {}, address)),
  )
  show(
    'Claim this account',
    el('div', { className: 'card' }, el('h3', { className: 'wrap' }, preview.name), ...list),
    el('p', {}, `The agent made it on ${day(preview.created_at)}. When you claim it:`),
    el(
      'ul',
      { className: 'points' },
      el('li', {}, 'it is yours: you can give it API keys and take them back;'),
      el('li', {}, 'the agent keeps its address and its key, and may send mail from now on, in your name;'),
      el('li', {}, 'it no longer expires, and the limit on what it receives ends.'),
    ),
    el(
      'p',
      {},
      'Claim it only if you know this agent. If you did not expect this, close the page: it expires by itself.',
    ),
    el(
      'div',
      { className: 'row' },
      button('Claim this account', async () => {
        await api('POST', 'claim', { token })
        claimToken.forget()
        await showAccounts('The account is yours now.')
      }),
      button(
        'Not now',
        async () => {
          claimToken.forget()
          await showAccounts()
        },
        'plain',
      ),
    ),
  )
}

function keyCard(account: Account, key: ApiKey, again: () => Promise<void>): HTMLElement {
  const inbox = account.inboxes.find(({ id }) => id === key.inbox_id)
  const reach = key.inbox_id === null ? 'whole account' : (inbox?.address ?? 'a deleted inbox')
  const used = key.last_used_at === null ? 'not used yet' : `last used ${day(key.last_used_at)}`
  const revoke = async () => {
    if (!confirm(`Revoke the key "${key.name}"? Whatever uses it stops working at once.`)) return
    await api('DELETE', `accounts/${account.tenant_id}/keys/${key.id}`)
    await again()
    tell('The key is revoked.')
  }
  return el(
    'li',
    { className: 'card' },
    el('h3', { className: 'wrap' }, key.name, key.hint === null ? '' : ` (…${key.hint})`),
    el('p', {}, `${key.scopes.join(', ')} · ${reach}`),
    el('p', { className: 'faint' }, `made ${day(key.created_at)} · ${used}`),
    button('Revoke', revoke, 'bad'),
  )
}

function newKeyForm(account: Account, made: (key: NewApiKey) => Promise<void>): HTMLElement {
  const scope = (name: string, meaning: string) =>
    el('label', {}, el('input', { type: 'checkbox', name: 'scopes', value: name, checked: true }), meaning)
  const inboxes = account.inboxes.map(({ id, address }) => el('option', { value: id }, address))
  const reach = el(
    'select',
    { name: 'inbox_id' },
    el('option', { value: '' }, 'The whole account'),
    ...inboxes,
  )
  const fields = [
    field('Name', { name: 'name', maxLength: 100, placeholder: 'What uses it, such as “support agent”' }),
    el(
      'fieldset',
      {},
      el('legend', {}, 'It may'),
      scope('read', 'read mail'),
      scope('send', 'send mail'),
      scope('manage', 'manage the account'),
    ),
    el('label', {}, 'It reaches', reach),
  ]
  return form('Make a key', fields, async (data) => {
    const inbox = text(data, 'inbox_id')
    const body = {
      name: text(data, 'name'),
      scopes: data.getAll('scopes'),
      ...(inbox !== '' && { inbox_id: inbox }),
    }
    await made(await api('POST', `accounts/${account.tenant_id}/keys`, body))
  })
}

function newKeyCard({ name, api_key }: { name: string; api_key: string }): HTMLElement {
  const shown = el('input', { readOnly: true, value: api_key, spellcheck: false })
  shown.addEventListener('focus', () => shown.select())
  const copy = button('Copy', async () => {
    await navigator.clipboard.writeText(api_key)
    tell('Copied.')
  })
  return el(
    'div',
    { className: 'card' },
    el('label', {}, `The new key “${name}”. Save it now: it is not shown again.`, shown),
    el('p', {}, copy),
  )
}

async function accountSection(account: Account): Promise<HTMLElement> {
  const section = el('section')
  const draw = async (made?: NewApiKey): Promise<void> => {
    const keys = await pages<ApiKey>(`accounts/${account.tenant_id}/keys`, 'keys')
    const waiting = el('div')
    const good = keys.filter((key) => key.revoked_at === null)
    section.replaceChildren(
      el('h2', { className: 'wrap' }, account.name),
      ...account.inboxes.map(({ address }) => el('p', { className: 'wrap' }, el('code', {}, address))),
      el('p', { className: 'faint' }, `Sending: ${account.sending_status}`),
      ...(made ? [newKeyCard(made)] : []),
      waiting,
      el('h3', {}, good.length === 0 ? 'No API keys' : 'API keys'),
      el('ul', {}, ...good.map((key) => keyCard(account, key, draw))),
      el('details', {}, el('summary', {}, 'Make another key'), newKeyForm(account, draw)),
    )
    // Nobody waits for these: what an agent wrote keeps no operator from the keys.
    void showDrafts(waiting, account.tenant_id, draw)
  }
  await draw()
  return section
}

async function showAccounts(news = ''): Promise<void> {
  const accounts = await pages<Account>('accounts', 'accounts')
  const sections = await Promise.all(accounts.map(accountSection))
  const none = el('p', {}, 'None yet. Open the claim link that your agent gave you.')
  const newPassword = async () => {
    await sign('send-reset', { email: who.querySelector('span')!.textContent! })
    tell(onItsWay)
  }
  show(
    'Your accounts',
    ...(sections.length > 0 ? sections : [none]),
    el('h2', {}, 'Your login'),
    button('Set a new password', newPassword, 'plain'),
  )
  tell(news)
}

function showWho(operator: { email: string } | null): void {
  who.replaceChildren()
  if (!operator) return
  const leave = async () => {
    await sign('sign-out', {})
    claimToken.forget()
    await begin()
  }
  who.append(el('span', { className: 'wrap' }, operator.email), ' ', button('Sign out', leave, 'plain'))
}

async function showClaimOrAccounts(token: string | null): Promise<void> {
  if (token === null) return showAccounts()
  await showClaim(token).catch(async (error) => {
    claimToken.forget()
    await showAccounts()
    throw error
  })
}

/** Shows what comes next: sign in, then claim, then the accounts. */
async function begin(): Promise<void> {
  const { operator } = await sign('session')
  showWho(operator)
  if (!operator) return showSignIn()
  await showClaimOrAccounts(claimToken.get())
}

/** A program that looks at links in mail must not use this one up: a human presses the button. */
function showUseLink(token: string): void {
  show(
    'Sign in',
    el('p', {}, 'You opened the link from your mail.'),
    button('Sign in', async () => {
      await sign('use-link', { token }).catch((error) => {
        showSignIn(false)
        throw error
      })
      await begin()
      if (claimToken.get() === null)
        tell(
          'You are signed in. If you came to claim an account, go back to that page, or open the claim link again.',
        )
    }),
  )
}

function readFragment(): void {
  const fragment = new URLSearchParams(location.hash.slice(1))
  history.replaceState(null, '', location.pathname)
  const [token, link, reset] = ['token', 'link', 'reset'].map((name) => fragment.get(name))
  if (token) claimToken.set(token)
  if (link) showUseLink(link)
  else if (reset)
    showReset(reset, () => {
      showWho(null)
      showSignIn(false)
    })
  else void attempt(null, begin)
}

onSignedOut(async () => {
  if (who.hasChildNodes()) await begin()
})
readFragment()
window.addEventListener('hashchange', readFragment)
document.addEventListener('visibilitychange', () => {
  // The link from the mail was opened elsewhere in this browser meanwhile.
  if (document.visibilityState === 'visible' && main.querySelector('input[type=password]'))
    void attempt(null, async () => {
      if ((await sign('session')).operator) await begin()
    })
})
