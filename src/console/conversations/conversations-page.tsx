import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Mailbox } from '../../mailbox/mailbox'
import type { Account } from '../../protocol/records/account'
import type { Thread } from '../../protocol/records/thread'
import { ComposeBox } from '../compose/compose-box'
import { query, setQuery } from '../core/location'
import { tell, tellError } from '../core/notices'
import { useKeys } from '../mail/keys'
import { mailboxOf, status } from '../mail/mailbox'
import { Button } from '../parts/button'
import { KeyHelp } from '../parts/dialog'
import { type PageProps, useReading } from '../parts/reading'
import { Empty, Failed, Loading } from '../parts/states'
import { actOn } from './bulk'
import { BulkBar } from './bulk-bar'
import { Conversation } from './conversation'
import { filterOf, filters, ThreadList } from './thread-list'
import { ThreadRows } from './thread-rows'

interface State {
  mailbox: Mailbox
  list: ThreadList
  open: string | null
  chosen: Signal<ReadonlySet<string>>
  answering: Signal<boolean>
  writing: Signal<boolean>
  helping: Signal<boolean>
}

interface Shortcut {
  key: string
  words: string
  run: () => void
}

const show = (thread: Thread | undefined) => {
  if (thread) setQuery({ thread: thread.id }, { replace: query.value.get('thread') !== null })
}

/** Adds a conversation to the selection, or removes it. */
function toggle(chosen: State['chosen'], id: string): void {
  const next = new Set(chosen.value)
  if (!next.delete(id)) next.add(id)
  chosen.value = next
}

/** Returns the keyboard shortcuts: what they do, and their help. */
function shortcutsOf(state: State): Shortcut[] {
  const { mailbox, list, open, chosen, answering, writing, helping } = state
  const rows = list.rows.value
  const at = rows.findIndex(({ id }) => id === open)
  const act = (action: 'close' | 'hold' | 'release', done: string) => () => {
    const ids = chosen.value.size > 0 ? chosen.value : new Set(open === null ? [] : [open])
    if (ids.size === 0) return
    actOn(mailbox, ids, action).then(() => tell(`${ids.size} ${done}.`), tellError)
    chosen.value = new Set()
  }
  const back = () => {
    if (writing.value) writing.value = false
    else if (answering.value) answering.value = false
    else if (chosen.value.size > 0) chosen.value = new Set()
    else setQuery({ thread: null })
  }
  return [
    { key: 'j', words: 'next conversation', run: () => show(rows[Math.min(at + 1, rows.length - 1)]) },
    { key: 'k', words: 'previous conversation', run: () => show(rows[Math.max(at - 1, 0)]) },
    { key: 'x', words: 'select or deselect', run: () => open !== null && toggle(chosen, open) },
    { key: 'r', words: 'reply', run: () => (answering.value = open !== null) },
    { key: 'c', words: 'write a new message', run: () => (writing.value = true) },
    { key: 'e', words: 'archive', run: act('close', 'archived') },
    { key: 'h', words: 'hold', run: act('hold', 'held') },
    { key: 'l', words: 'release', run: act('release', 'released') },
    { key: 'Escape', words: 'close', run: back },
    { key: '?', words: 'show these shortcuts', run: () => (helping.value = true) },
  ]
}

function FilterBar({ onCompose }: { onCompose: () => void }) {
  const filter = filterOf(query.value.get('filter'))
  return (
    <div class="filters">
      <div class="spread">
        <select
          aria-label="Filter"
          value={filter.id}
          onChange={({ currentTarget: { value } }) => setQuery({ filter: value === 'open' ? null : value })}
        >
          {filters.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <Button kind="primary" onPress={onCompose} title="New message (c)">
          New message
        </Button>
      </div>
    </div>
  )
}

function Left({ state, filter }: { state: State; filter: string }) {
  const { mailbox, list, open, chosen, answering, helping, writing } = state
  const choose = (id: string, range: boolean) => {
    const rows = list.rows.value.map((one) => one.id)
    const last = rows.findLastIndex((one) => chosen.value.has(one))
    const to = rows.indexOf(id)
    if (!range || last < 0) return toggle(chosen, id)
    chosen.value = new Set([...chosen.value, ...rows.slice(Math.min(last, to), Math.max(last, to) + 1)])
  }
  const isEmpty = list.isWhole.value && list.rows.value.length === 0
  return (
    <section class="left" aria-label="Conversations">
      <h1 class="hidden">Conversations: {filter}</h1>
      <FilterBar onCompose={() => (writing.value = true)} />
      {chosen.value.size > 0 && (
        <BulkBar mailbox={mailbox} ids={chosen.value} onDone={() => (chosen.value = new Set())} />
      )}
      {list.error.value && <Failed error={list.error.value} again={() => list.more()} />}
      {isEmpty && (
        <Empty title="No conversations">
          <p>Conversations that pass the filter “{filter}” appear here.</p>
        </Empty>
      )}
      <ThreadRows
        list={list}
        own={new Set(mailbox.inboxes.map(({ address }) => address))}
        open={open}
        chosen={chosen.value}
        onOpen={(thread) => {
          answering.value = false
          show(thread)
        }}
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

function Desk({ account, mailbox }: { account: Account; mailbox: Mailbox }) {
  const filter = filterOf(query.value.get('filter'))
  const { tenant_id } = account
  const list = useMemo(() => new ThreadList(tenant_id, mailbox, filter.query), [filter.id])
  useEffect(() => () => list.close(), [list])
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const [answering, writing, helping] = [useSignal(false), useSignal(false), useSignal(false)]
  const open = query.value.get('thread')
  const state: State = { mailbox, list, open, chosen, answering, writing, helping }
  const shortcuts = shortcutsOf(state)
  useKeys(Object.fromEntries(shortcuts.map(({ key, run }) => [key, run])))
  const inboxId = mailbox.inboxes[0]?.id
  return (
    <div class={`mailview ${open || writing.value ? 'reading' : ''}`}>
      <Left state={state} filter={filter.title} />
      <section class="right" aria-label="Conversation">
        {writing.value && inboxId ? (
          <div class="mail new">
            <ComposeBox
              account={tenant_id}
              task={{ kind: 'new', inboxId }}
              onDone={() => (writing.value = false)}
            />
          </div>
        ) : open ? (
          <Conversation
            key={open}
            account={tenant_id}
            mailbox={mailbox}
            id={open}
            answering={answering.value}
            onAnswer={(on) => (answering.value = on)}
          />
        ) : (
          <Empty title="No conversation selected">
            <p>
              Select a conversation, or press <kbd>j</kbd>. <kbd>?</kbd> lists all shortcuts.
            </p>
          </Empty>
        )}
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
export function Page({ account }: PageProps) {
  const { tenant_id } = account
  const { value, error, again } = useReading(`mailbox of ${tenant_id}`, () => mailboxOf(tenant_id))
  if (error.value) return <Failed error={error.value} again={again} />
  return value.value ? (
    <Desk account={account} mailbox={value.value} />
  ) : (
    <Loading what="Opening the mailbox" />
  )
}
