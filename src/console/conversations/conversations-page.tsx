import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Mailbox } from '../../mailbox/mailbox'
import type { Thread } from '../../protocol/records/thread'
import { ComposeBox } from '../compose/compose-box'
import { hrefOf, isCaptured, query, setQuery } from '../core/location'
import { tell, tellError } from '../core/notices'
import { useKeys } from '../mail/keys'
import { mailboxOf, status } from '../mail/mailbox'
import { HtmlViewer } from '../mail/sides'
import { Button } from '../parts/button'
import { KeyHelp } from '../parts/dialog'
import { type PageProps, useReading } from '../parts/reading'
import { SearchBox } from '../parts/search-box'
import { Empty, Failed, Loading } from '../parts/states'
import { actOn } from './bulk'
import { BulkBar } from './bulk-bar'
import { Conversation, stopWriting } from './conversation'
import { filterOf, filters, ThreadList } from './thread-list'
import { ThreadRows } from './thread-rows'

interface State {
  mailbox: Mailbox
  list: ThreadList
  open: string | null
  chosen: Signal<ReadonlySet<string>>
  writing: Signal<boolean>
  helping: Signal<boolean>
  search: RefObject<HTMLInputElement | null>
}

interface Shortcut {
  key: string
  words: string
  /** Undefined if the open conversation does it. */
  run?: () => void
}

const show = (thread: Thread | undefined) => {
  if (!thread) return
  const isOpen = query.value.get('thread') !== null
  setQuery({ thread: thread.id, reply: null, forward: null }, { replace: isOpen })
}

/** Adds a conversation to the selection, or removes it. */
function toggle(chosen: State['chosen'], id: string): void {
  const next = new Set(chosen.value)
  if (!next.delete(id)) next.add(id)
  chosen.value = next
}

/** Closes what was opened last. */
function back({ chosen, writing }: State): void {
  if (writing.value) writing.value = false
  else if (query.value.has('reply') || query.value.has('forward')) stopWriting()
  else if (chosen.value.size > 0) chosen.value = new Set()
  else setQuery({ thread: null })
}

/** Returns the keyboard shortcuts: what they do, and their help. */
function shortcutsOf(state: State): Shortcut[] {
  const { mailbox, list, open, chosen, writing, helping, search } = state
  const rows = list.rows.value
  const at = rows.findIndex(({ id }) => id === open)
  const act = (action: 'close' | 'hold' | 'release', done: string) => () => {
    const ids = chosen.value.size > 0 ? chosen.value : new Set(open === null ? [] : [open])
    if (ids.size === 0) return
    actOn(mailbox, ids, action).then(() => tell(`${ids.size} ${done}.`), tellError)
    chosen.value = new Set()
  }
  return [
    { key: 'j', words: 'next conversation', run: () => show(rows[Math.min(at + 1, rows.length - 1)]) },
    { key: 'k', words: 'previous conversation', run: () => show(rows[Math.max(at - 1, 0)]) },
    { key: 'x', words: 'select or deselect', run: () => open !== null && toggle(chosen, open) },
    { key: 'r', words: 'reply' },
    { key: 'c', words: 'write a new message', run: () => (writing.value = true) },
    { key: 'e', words: 'archive', run: act('close', 'archived') },
    { key: 'h', words: 'hold', run: act('hold', 'held') },
    { key: 'l', words: 'release', run: act('release', 'released') },
    { key: '/', words: 'search', run: () => search.current?.focus() },
    { key: 'Escape', words: 'close', run: () => back(state) },
    { key: '?', words: 'show these shortcuts', run: () => (helping.value = true) },
  ]
}

/** Returns the filter of the address. A search looks through all conversations if none is named. */
const filterNow = () => filterOf(query.value.get('filter') ?? (query.value.get('q') ? 'all' : null))

function InboxSelect({ mailbox }: { mailbox: Mailbox }) {
  if (mailbox.inboxes.length < 2) return null
  return (
    <select
      aria-label="Filter by inbox"
      value={query.value.get('inbox') ?? ''}
      onChange={({ currentTarget: { value } }) => setQuery({ inbox: value || null })}
    >
      <option value="">All inboxes</option>
      {mailbox.inboxes.map(({ id, address }) => (
        <option key={id} value={id}>
          {address}
        </option>
      ))}
    </select>
  )
}

function FilterBar({ mailbox, list, search, writing }: State) {
  return (
    <div class="filters">
      <div class="spread">
        <div class="choices">
          <select
            aria-label="Filter"
            value={filterNow().id}
            onChange={({ currentTarget: { value } }) => setQuery({ filter: value })}
          >
            {filters.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
          <InboxSelect mailbox={mailbox} />
        </div>
        <Button kind="primary" onPress={() => (writing.value = true)} title="New message (c)">
          New message
        </Button>
      </div>
      <SearchBox field={search} onSearch={(q) => setQuery({ q, filter: null })} />
      {list.warnings.value.map((warning) => (
        <span key={warning} class="tag warn">
          {warning}
        </span>
      ))}
    </div>
  )
}

/** Says why the list is empty. */
function Nothing({ mailbox: { inboxes } }: State) {
  const { q, inbox, account } = Object.fromEntries(query.value)
  const filter = filterNow()
  const reached = inboxes.find(({ id }) => id === inbox || inboxes.length === 1)
  if (q)
    return (
      <Empty title="No conversations found">
        <p>Try fewer words, or another filter.</p>
      </Empty>
    )
  return (
    <Empty title="No conversations">
      {filter.id === 'open' ? (
        <p>
          Messages to <strong>{reached?.address ?? 'your inboxes'}</strong> appear here.
        </p>
      ) : (
        <p>Conversations that pass the filter “{filter.title}” appear here.</p>
      )}
      {filter.id === 'open' && isCaptured && <a href={hrefOf('/talk', { account })}>Write a first message</a>}
    </Empty>
  )
}

function Left({ state }: { state: State }) {
  const { mailbox, list, open, chosen, helping } = state
  const choose = (id: string, range: boolean) => {
    const rows = list.rows.value.map((one) => one.id)
    const last = rows.findLastIndex((one) => chosen.value.has(one))
    const to = rows.indexOf(id)
    if (!range || last < 0) return toggle(chosen, id)
    chosen.value = new Set([...chosen.value, ...rows.slice(Math.min(last, to), Math.max(last, to) + 1)])
  }
  return (
    <section class="left" aria-label="Conversations">
      <h1 class="hidden">Conversations: {filterNow().title}</h1>
      <FilterBar {...state} />
      {chosen.value.size > 0 && (
        <BulkBar mailbox={mailbox} ids={chosen.value} onDone={() => (chosen.value = new Set())} />
      )}
      {list.error.value && <Failed error={list.error.value} again={() => list.more()} />}
      {list.isWhole.value && list.rows.value.length === 0 && <Nothing {...state} />}
      <ThreadRows
        list={list}
        own={new Set(mailbox.inboxes.map(({ address }) => address))}
        open={open}
        chosen={chosen.value}
        onOpen={show}
        onChoose={choose}
      />
      <footer class="small faint spread">
        <span role="status">{status.value === 'live' ? 'Live' : 'Out of date: connecting…'}</span>
        <Button kind="link" onPress={() => (helping.value = true)}>
          Shortcuts
        </Button>
      </footer>
    </section>
  )
}

/** Shows the form for a new message, the open conversation, or how to open one. */
function Right({ account, state }: { account: string; state: State }) {
  const { mailbox, open, writing } = state
  const viewer = useMemo(() => new HtmlViewer(), [])
  useEffect(() => () => viewer.close(), [])
  const inboxId = query.value.get('inbox') ?? mailbox.inboxes[0]?.id
  if (writing.value && inboxId)
    return (
      <div class="mail new">
        <h2>New message</h2>
        <ComposeBox
          account={account}
          task={{ kind: 'new', inboxId, inboxes: mailbox.inboxes }}
          onDone={() => (writing.value = false)}
        />
      </div>
    )
  if (open) return <Conversation key={open} account={account} mailbox={mailbox} viewer={viewer} id={open} />
  return (
    <Empty title="No conversation selected">
      <p>
        Select a conversation, or press <kbd>j</kbd>. <kbd>?</kbd> lists all shortcuts.
      </p>
    </Empty>
  )
}

/** Returns the list that the address selects. */
function useThreadList(account: string, mailbox: Mailbox): ThreadList {
  const [q, inbox_id] = [query.value.get('q'), query.value.get('inbox')]
  const wanted = { ...filterNow().query, ...(q && { q }), ...(inbox_id && { inbox_id }) }
  const list = useMemo(() => new ThreadList(account, mailbox, wanted), [JSON.stringify(wanted)])
  useEffect(() => () => list.close(), [list])
  return list
}

function Desk({ account, mailbox }: { account: string; mailbox: Mailbox }) {
  const list = useThreadList(account, mailbox)
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const [writing, helping] = [useSignal(false), useSignal(false)]
  const search = useRef<HTMLInputElement>(null)
  const open = query.value.get('thread')
  const state: State = { mailbox, list, open, chosen, writing, helping, search }
  const shortcuts = shortcutsOf(state)
  useKeys(Object.fromEntries(shortcuts.flatMap(({ key, run }) => (run ? [[key, run]] : []))))
  return (
    <div class={`mailview ${open || writing.value ? 'reading' : ''}`}>
      <Left state={state} />
      <section class="right" aria-label="Conversation">
        <Right account={account} state={state} />
      </section>
      {helping.value && (
        <KeyHelp
          keys={shortcuts.map(({ key, words }) => [key, words])}
          onClose={() => (helping.value = false)}
        />
      )}
    </div>
  )
}

/** Opens the mailbox and then shows the conversations of an account. */
export function Page({ account: { tenant_id } }: PageProps) {
  const { value, error, again } = useReading(`mailbox of ${tenant_id}`, () => mailboxOf(tenant_id))
  if (error.value) return <Failed error={error.value} again={again} />
  return value.value ? (
    <Desk account={tenant_id} mailbox={value.value} />
  ) : (
    <Loading what="Opening the mailbox" />
  )
}
