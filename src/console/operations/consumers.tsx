import type { Account } from '../../protocol/records/account'
import type { ConsumerState } from '../../protocol/records/consumer'
import { call } from '../core/ask'
import { query, setQuery } from '../core/location'
import { nameOf } from '../core/shown'
import { fullTime } from '../core/times'
import { Button } from '../parts/button'
import { ConsumerMessages } from './consumer-messages'
import { Detail, None, Section } from './section'

interface CountProps {
  count: number
  what: string
  isOpen: boolean
  isBad?: boolean
  onPress: () => void
}

/** Shows a number that opens the list that it counts; a zero opens nothing. */
function Count({ count, what, isOpen, isBad, onPress }: CountProps) {
  if (count === 0 && !isOpen) return <span class="faint">0</span>
  return (
    <button
      type="button"
      class={`link ${isBad ? 'bad' : ''}`}
      aria-expanded={isOpen}
      aria-label={`${count} ${what}`}
      onClick={onPress}
    >
      {count}
    </button>
  )
}

/** Pauses a consumer and resumes it. Shows who paused it. */
function PauseSwitch({ account, consumer: { name, paused }, onChanged }: RowProps) {
  const toggle = async () => {
    const path = `/consumers/${name}/${paused ? 'resume' : 'pause'}`
    await call(path, { method: 'POST', account: account.tenant_id })
    await onChanged()
  }
  return (
    <div class="row small">
      {paused && (
        <span class="tag warn" title={fullTime(paused.since)}>
          Paused by {nameOf(paused.by)}
        </span>
      )}
      <Button
        kind="link"
        label={`${paused ? 'Resume' : 'Pause'} ${name}`}
        title="While it is paused, the agent gets no new messages"
        onPress={toggle}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </div>
  )
}

interface RowProps {
  account: Account
  consumer: ConsumerState
  onChanged: () => Promise<void>
}

function Row({ account, consumer, onChanged }: RowProps) {
  const { name, inbox_id, waiting, leased, dead, skipped } = consumer
  const open = query.value.get('consumer') === name ? query.value.get('list') : null
  const show = (list: string) =>
    setQuery(
      open === list ? { consumer: null, list: null, find: null } : { consumer: name, list, find: null },
    )
  const reach = account.inboxes.find(({ id }) => id === inbox_id)?.address
  return (
    <>
      <tr class={open ? 'open' : ''}>
        <th scope="row" class="key-name">
          {name}
          {inbox_id !== null && <span class="faint small"> {reach ?? 'a deleted inbox'}</span>}
          <PauseSwitch account={account} consumer={consumer} onChanged={onChanged} />
        </th>
        <td>{waiting}</td>
        <td>{leased}</td>
        <td>
          <Count
            count={dead}
            what={`dead letters of ${name}`}
            isBad
            isOpen={open === 'dead'}
            onPress={() => show('dead')}
          />
        </td>
        <td>
          <Count
            count={skipped}
            what={`messages that ${name} skipped`}
            isOpen={open === 'skipped'}
            onPress={() => show('skipped')}
          />
        </td>
      </tr>
      {(open === 'dead' || open === 'skipped') && (
        <tr class="opened">
          <td colSpan={5}>
            <Detail label={open === 'dead' ? `Dead letters of ${name}` : `Skipped by ${name}`}>
              <ConsumerMessages
                key={`${name} ${open}`}
                accountId={account.tenant_id}
                name={name}
                list={open}
                onChanged={onChanged}
              />
            </Detail>
          </td>
        </tr>
      )}
    </>
  )
}

interface ConsumersProps {
  account: Account
  consumers: ConsumerState[]
  onChanged: () => Promise<void>
}

/** Lists the consumers, with the number of messages that wait, are leased, dead or skipped. */
export function Consumers({ account, consumers, onChanged }: ConsumersProps) {
  return (
    <Section title="Consumers" about="agents that process messages">
      {consumers.length === 0 ? (
        <None>
          No consumers yet. One appears here when an agent calls mailbox.run() or gives its loop a name.
        </None>
      ) : (
        <table class="numbers">
          <thead>
            <tr>
              <th>Name</th>
              <th title="Not processed yet">Waiting</th>
              <th title="Being processed now">In progress</th>
              <th title="Given up after ten attempts">Dead</th>
              <th title="Skipped, because a reply would be refused">Skipped</th>
            </tr>
          </thead>
          <tbody>
            {consumers.map((consumer) => (
              <Row key={consumer.name} account={account} consumer={consumer} onChanged={onChanged} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
