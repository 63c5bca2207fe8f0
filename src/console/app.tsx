import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Account } from '../protocol/records/account'
import { go, hrefOf, path } from './core/location'
import { hush, notice, online } from './core/notices'
import { claimToken, opened } from './core/secrets'
import {
  account,
  accounts,
  begin,
  failure,
  leave,
  operator,
  readUnread,
  rememberAccount,
  unread,
} from './core/session'
import { readWaiting, waitingCount } from './core/waiting'
import { type Page, pages } from './pages'
import { Button } from './parts/button'
import { Icon } from './parts/icon'
import type { PageProps } from './parts/reading'
import { Empty, Failed, Loading } from './parts/states'

/** Loads a component on first use and then shows it. */
function Lazy<Props extends object>({
  load,
  props,
}: {
  load: () => Promise<ComponentType<Props>>
  props: Props
}) {
  const found = useSignal<ComponentType<Props> | null>(null)
  const error = useSignal<Error | null>(null)
  const begin = async () => {
    error.value = null
    try {
      const loaded = await load()
      found.value = loaded
    } catch {
      error.value = new Error('A part of the console could not be loaded. Check your connection, or reload.')
    }
  }
  useEffect(() => void begin(), [])
  if (error.value) return <Failed error={error.value} again={begin} />
  const Shown = found.value
  return Shown ? <Shown {...props} /> : <Loading />
}

type Front = typeof import('./front/front')
const front =
  <Name extends keyof Front>(name: Name) =>
  () =>
    import('./front/front').then((all): Front[Name] => all[name])

function Toast() {
  const said = notice.value
  return (
    <div>
      {said && (
        <div class={`toast ${said.bad ? 'wrong' : ''}`} role={said.bad ? 'alert' : 'status'}>
          <span>{said.text}</span>
          {said.undo && (
            <button
              type="button"
              onClick={() => {
                said.undo?.()
                hush()
              }}
            >
              Undo
            </button>
          )}
          <button type="button" aria-label="Dismiss" onClick={hush}>
            ✕
          </button>
        </div>
      )}
    </div>
  )
}

function AccountChoice({ all, chosen }: { all: Account[]; chosen: Account }) {
  if (all.length < 2) return null
  const choose = (id: string) => {
    rememberAccount(id)
    go(hrefOf(path.value, { account: id }))
  }
  return (
    <div class="accounts">
      <select
        aria-label="Account"
        value={chosen.tenant_id}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {all.map(({ tenant_id, name, inboxes }) => (
          <option key={tenant_id} value={tenant_id}>
            {name} {inboxes[0] && `· ${inboxes[0].address}`}
          </option>
        ))}
      </select>
    </div>
  )
}

function Side({ current, unreadCount }: { current: Page | undefined; unreadCount: number }) {
  const chosen = account.value
  const all = accounts.value ?? []
  const parameters = { account: all.length > 1 ? chosen?.tenant_id : null }
  const nav = useRef<HTMLElement>(null)
  // A phone shows only some of the pages.
  useEffect(
    () => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }),
    [current],
  )
  return (
    <header class="side">
      <a class="brand" href={hrefOf('/', parameters)}>
        <Icon name="mark" />
        Restante
      </a>
      {chosen && <AccountChoice all={all} chosen={chosen} />}
      <nav aria-label="Pages" ref={nav}>
        <ul>
          {pages.map((page) => (
            <li key={page.path}>
              <a
                class="nav"
                href={hrefOf(page.path, parameters)}
                aria-current={page === current ? 'page' : undefined}
              >
                <Icon name={page.icon} />
                {page.title}
                {page === pages[0] && unreadCount > 0 && (
                  <span class="count">
                    {unreadCount}
                    <span class="hidden"> unread</span>
                  </span>
                )}
                {page.path === '/approvals' && waitingCount.value > 0 && (
                  <span class="count">
                    {waitingCount.value}
                    <span class="hidden"> waiting</span>
                  </span>
                )}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="who">
        <span class="cut faint" title={operator.value?.email}>
          {operator.value?.email.endsWith('.invalid') ? 'Owner of this service' : operator.value?.email}
        </span>
        <div>
          <Button kind="link" onPress={() => leave()}>
            Sign out
          </Button>
        </div>
      </div>
    </header>
  )
}

/** Paths of the pages before sign-in. An opened claim waits there until it is used or dismissed. */
const entryPaths = ['/', '/sign-in', '/claim']

/** Shows the page of the address inside the frame that every page shares. */
function Signed() {
  const shown = account.value
  const current = pages.find(({ path: own }) => path.value === own || path.value.startsWith(`${own}/`))
  const title = current?.title
  const count = [...unread.value.values()].reduce((sum, one) => sum + one, 0)
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title ? `${title} · ` : ''}Restante`
  }, [title, count])
  useEffect(() => {
    if (!shown || current?.isLive) return
    // A count that cannot be read stays as it is.
    for (const count of [readUnread, readWaiting]) count(shown.tenant_id).catch(() => {})
  }, [shown?.tenant_id])
  useEffect(() => {
    if (shown && entryPaths.includes(path.value)) go(hrefOf(pages[0]!.path), { replace: true })
  }, [shown, path.value])
  const load = () => current!.load().then(({ Page }): ComponentType<PageProps> => Page)
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Side current={current} unreadCount={count} />
      <div class="body">
        {!online.value && (
          <p class="offline" role="status">
            You are offline. This page may be out of date, and updates once you are online.
          </p>
        )}
        <main id="main" tabIndex={-1}>
          {!shown && !current?.isPersonal && <Lazy key="welcome" load={front('Welcome')} props={{}} />}
          {current?.isPersonal && <Lazy key={current.path} load={load} props={{ account: shown! }} />}
          {shown && current && !current.isPersonal && (
            <Lazy key={`${current.path} ${shown.tenant_id}`} load={load} props={{ account: shown }} />
          )}
          {shown && !current && path.value !== '/' && (
            <Empty title="Page not found">
              <a href={hrefOf('/')}>Go to the start page</a>
            </Empty>
          )}
        </main>
      </div>
    </div>
  )
}

function Content() {
  if (failure.value) return <Failed error={failure.value} again={begin} />
  if (operator.value === undefined) return <Loading what="Restante is loading" />
  if (opened.value) return <Lazy key="link" load={front('UseLink')} props={opened.value} />
  if (!operator.value) return <Lazy key="sign-in" load={front('SignIn')} props={{}} />
  if (claimToken.value && entryPaths.includes(path.value))
    return <Lazy key="claim" load={front('Claim')} props={{ token: claimToken.value }} />
  return <Signed />
}

/** Renders the console. */
export function App() {
  return (
    <>
      <Content />
      <Toast />
    </>
  )
}
